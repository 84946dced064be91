"""One search: runs are made from a source of choices, judged, and added to the findings.

The runs are quick: one guard surrounds them all, and only a run that failed is made again, as an ordinary run, for its
digest and its token.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final, NoReturn

from ...errors import CallbackError, Refusal, StartsThreads, UnfinishedError
from ...net import Fault
from ...runners.simulate import Run, isolated
from ...sim import entropy
from ...sim.choices import Choices
from ...sim.garbage import frozen
from ...sim.order import Order
from ...sim.outcome import clear_frames
from ..choices.odometer import KeepsState, Odometer
from ..choices.sources import MIX, SWEEP, Plain, choices_of, free_choices
from ..module_state.fresh import Fresh
from ..module_state.snapshot import ModuleState
from ..programs.global_random import GlobalRandom
from ..programs.program import Ended, Program
from ..programs.quiet_logging import unlogged
from ..report.found import CannotExplore, Failure, Found
from ..report.recording import kind_of
from .classes import ClassSearch
from .determinism import RUNS_MAX, Make, Repeated

#: The runs between two collections of garbage.
_COLLECT_EVERY: Final = 512
#: A run that fails with a real server is made again so many times.
_AGAIN: Final = 10
#: A run with timers that are free has so many times as many iterations as those after which it is looked at, if the
#: plain one ends within them: a loop that such a run does not leave has no other bound, mostly.
_FREE_MOST: Final = 2
#: The assumption of an exhausted search, by the order.
_ASSUMED: Final[dict[Order, str]] = {
    "any": "any ready task may run next, callbacks keep their order",
    "fifo": "tasks run first in, first out",
}


class Search:
    """One exploration: `found` grows with each run."""

    def __init__(
        self,
        program: Program,
        found: Found,
        keep_going: bool,
        progress: Callable[[Found], object],
        tally: Counter[Fault],
        state: ModuleState,
    ) -> None:
        self.found = found
        network = program.setup.network
        found.outside = ", ".join(map(str, network.outside)) if network is not None else ""
        self._state = state
        self._repeated = Repeated(state, self._once)
        self._program = program
        self._keep_going = keep_going
        self._progress = progress
        #: The faults that strike; a run that is made again counts once.
        self._tally = tally
        self._random = GlobalRandom()
        self._plain = Plain()
        #: The iterations after which a run is unfinished; fewer, once one was: all runs may be.
        self._most = program.setup.limits.most

    def all(self, most: int | None) -> None:
        """Run the schedules of an odometer, `most` of them at most."""
        odometer, found = Odometer(), self.found
        while True:
            ended, _ = self._once(odometer.choices)
            if self._judge(ended, None, odometer.replaying):
                found.bound = "the search ended at the first failure"
                return
            if not odometer.next():
                found.exhausted = True
                found.bound = "every schedule was run"
                found.assumptions.append(_ASSUMED[self._program.setup.order])
            elif found.runs == most:
                found.bound = f"the search ended after {most} runs"
            else:
                continue
            self.check()
            return

    def classes(self, search: ClassSearch, most: int | None) -> None:
        """Run each class of equivalent schedules, `most` runs at most; of a program with threads, each schedule."""
        found = self.found
        try:
            failed = search.run(found, most, self._keep_going, self._progress)
        except CannotExplore:
            if not isinstance(found.refused, StartsThreads):
                raise
            found.begin_again()
            found.assumptions.append("the program starts threads, so each schedule was made, not one of each class")
            self.all(most)
            return
        if failed is not None:
            ended, choices = failed
            if not self._keep_going:
                found.bound = "the search ended at the first failure"
            found.failure = self._failure(ended, ended.outcome(), None, choices)
        elif (spun := search.spun) is not None:  # the same run, for as long as it may take
            ended, _ = self._once(spun)
            self._judge(ended, None, lambda: spun)

    def begin(self) -> None:
        """Give the next run the state that every run begins with."""
        self._random.reset()
        entropy.begin(0)

    def draw(self, seeds: range, strategy: str) -> bool:
        """Run one schedule of the strategy for each seed; returns whether the search is over."""
        plain = self._plain
        is_first_plain = not seeds[0] and strategy in (MIX, SWEEP)
        if not is_first_plain and not self.found.runs:
            self._repeated.plain(*self._once(plain.choices))
        for seed in seeds:
            if plain.swept(seed, strategy):
                self.found.bound = "each injection into the plain run was made, and each two of them"
                break
            ended, choices = self._once(partial(choices_of, seed, strategy, plain))
            if is_first_plain and seed == seeds[0]:
                self._repeated.plain(ended, choices)
            if self._judge(ended, seed, lambda: partial(Choices.listed, choices.drawn())):  # noqa: B023  (called at once)
                return True
        return False

    def collect(self, seed: int, program: Program) -> bool:
        """Run the plain schedule with tasks that are collected; returns whether it fails, as that of the seed.

        An error of a callback is none here: it may be one of a library's, that the program does not depend on.
        """
        told: list[object] = []

        def make() -> Choices:
            choices = Choices.plain()
            choices.tell = lambda *what: told.append(what)
            return choices

        bare, self._program = self._program, program
        ended, _ = self._made(make)
        failed = bool(told) and program.failed(ended) and not isinstance(ended.error, Refusal | CallbackError)
        if failed:
            self._judge(ended, seed, lambda: Choices.plain)
        self._program = bare
        return failed

    def draw_free(self, seeds: range, free: Program) -> bool:
        """As `draw`, with the program with timers that are free; a failure that needs none of that has none.

        A run that comes to something outside of the simulation ends this part: the runs before it keep their verdict.
        """
        bare, self._program, self._plain = self._program, free, Plain()
        self._repeated = Repeated(self._state, self._once)
        limits = free.setup.limits
        limits.most = min(_FREE_MOST * limits.iterations, self._most)
        first, choices = self._once(self._plain.choices)
        if isinstance(first.error, UnfinishedError):
            limits.most = self._most
        self._repeated.plain(first, choices)
        for seed in seeds:
            self._program = free
            ended, choices = self._made(partial(free_choices, seed, self._plain))
            if isinstance(ended.error, Refusal):
                self.found.beyond = ended.error
                break
            self.found.freed += 1
            if free.failed(ended):
                self._program = bare
                again = self._once(partial(Choices.listed, {**choices.drawn(), "faults": ()}))
                if bare.failed(again[0]):
                    ended, choices = again
                else:
                    self._program = free
            if self._judge(ended, seed, lambda: partial(Choices.listed, choices.drawn())):  # noqa: B023  (called at once)
                return True
        return False

    def check(self) -> None:
        """Make runs again, if there were several, the plain one among them, and none failed."""
        self._program.setup.limits.most = self._most
        if self.found.outside:
            return  # its runs are not the same
        if not self.found.failures and (self.found.runs > 1 or self._state.changed()):
            reached = dict(self.found.reached)
            hidden = self._repeated.check(self._program.failed)
            self.found.reached.clear()
            self.found.reached.update(reached)
            if hidden is not None:
                self._hidden(*hidden)
            elif self.found.runs > RUNS_MAX and (names := ", ".join(self._state.changed())):
                self.found.assumptions.append(
                    f"runs change {names} at module level: the first {RUNS_MAX} were made again without that"
                )

    def _hidden(self, number: int, ended: Ended, make: Make) -> None:
        """Note the failure of a run that has not failed in its place."""
        found, names = self.found, ", ".join(self._state.changed())
        found.assumptions.append(
            f"runs change {names} at module level, so none after the first could fail as this one does, in the state "
            "before the first run"
        )
        self._judge(ended, None, lambda: make)
        assert found.failure is not None
        found.failure = replace(found.failure, number=number)
        found.outcomes[found.failure.outcome].first = number

    def refuse(self, refusal: Refusal) -> NoReturn:
        """End the search: one more run cannot be simulated.  Raises CannotExplore."""
        self.found.runs += 1
        self.found.ends_at(refusal)
        self._progress(self.found)
        raise CannotExplore(self.found)

    def replay(self, token: str) -> None:
        """Repeat the run of a token."""
        with unlogged():
            run = self._program.simulate(token=token)
        if isinstance(run.error, Refusal):
            self.refuse(run.error)
        self.found.bound = "one run was made, that of the token"
        self.found.note(run.choices)
        self._judge(Ended.of(run), None, run)

    def _once(self, make: Callable[[], Choices]) -> tuple[Ended, Choices]:
        """As `_made`; a run that cannot be simulated ends the search."""
        ended, choices = self._made(make)
        if isinstance(ended.error, Refusal):
            self.refuse(ended.error)
        return ended, choices

    def _made(self, make: Callable[[], Choices]) -> tuple[Ended, Choices]:
        """One run of the choices that `make` returns; the first that uses the module random is made again."""
        entropy.begin(0)
        choices = make()
        self._tally.clear()
        ended = self._program.once(choices)
        if self._random.used():
            entropy.begin(0)
            choices = make()
            self._tally.clear()
            ended = self._program.once(choices)
            self._random.used()
        if self.found.runs % _COLLECT_EVERY == _COLLECT_EVERY - 1:
            gc.collect()
        self.found.note(choices)
        return ended, choices

    def _judge(self, ended: Ended, seed: int | None, again: Callable[[], Make] | Run[Any]) -> bool:
        """Add a run to the findings; returns whether the search is over.

        Parameters:
            again: returns a maker of choices that repeat the run; or the repeated run.
        """
        found = self.found
        outcome = ended.outcome()
        found.add(outcome, seed)
        found.struck += self._tally
        if isinstance(ended.error, UnfinishedError):
            self._unfinished(again)
            self._progress(found)
            return False
        failed = self._program.failed(ended)
        if failed:
            found.failures += 1
            if found.failure is None:
                found.failure = self._failure(ended, outcome, seed, again if isinstance(again, Run) else again())
                if self._keep_going:
                    with unlogged():
                        clear_frames(found.failure.error)
        elif not isinstance(again, Run):
            self._repeated.add(again, outcome)
        self._progress(found)
        return failed and not self._keep_going

    def _unfinished(self, again: Callable[[], Make] | Run[Any]) -> None:
        """Note a run that is unfinished."""
        found, limits = self.found, self._program.setup.limits
        found.unfinished += 1
        if found.unfinished == 1:
            with unlogged(), self._state.at_first():
                run = again if isinstance(again, Run) else self._program.simulate(choices=again()())
            where = str(run.error).partition("\n")[0]
            found.assumptions.append(f"run {found.runs} has {where}, token {run.recorded_token()}")
        limits.most = max(limits.iterations, limits.most // 2)

    def _failure(self, ended: Ended, outcome: str, seed: int | None, again: Make | Run[Any]) -> Failure:
        if self.found.outside and not isinstance(again, Run):
            return self._failure_outside(ended, outcome, seed, again)
        with unlogged(), self._state.at_first():
            run = again if isinstance(again, Run) else self._program.simulate(choices=again())
        error = run.error
        # An assert has a text where pytest has rewritten its file, and not where the reduction has.
        if (
            error is None
            or not (text := Ended.of(run).outcome()).startswith(outcome)
            or (text != outcome and outcome != AssertionError.__name__)
        ):
            again_ended = Ended.of(run).outcome()
            raise KeepsState(
                f"run {self.found.runs} ended with {outcome!r}, and, made again, with {again_ended!r}",
                make=partial(Choices.listed, run.choices.drawn()),
            ) from ended.error
        program = Fresh(self._program, self._state)
        return Failure(self.found.outcomes[outcome].first, seed, outcome, error, run, program)

    def _failure_outside(self, ended: Ended, outcome: str, seed: int | None, make: Make) -> Failure:
        """As `_failure`, for a run with real servers: it is made again some times, and may end in another way."""
        assert ended.error is not None
        kind, same = kind_of(ended.error), []
        with unlogged(), self._state.at_first():
            for _ in range(_AGAIN):
                run = self._program.simulate(choices=make())
                if run.error is not None and kind_of(run.error) == kind:
                    same.append(run)
        if not same:
            keeps = KeepsState(f"run {self.found.runs} ended with {outcome!r}, and in none of {_AGAIN} runs again")
            keeps.outside = self.found.outside
            raise keeps from ended.error
        repeats, program = f"again in {len(same)} of {_AGAIN} runs", Fresh(self._program, self._state)
        first, error = self.found.outcomes[outcome].first, same[0].error
        assert error is not None
        return Failure(first, seed, outcome, error, same[0], program, repeats)


@contextmanager
def searching(program: Program) -> Iterator[None]:
    """The context of a search: the program's own, garbage collected between runs only, the module random seeded."""
    with isolated(0), frozen(), program.around():
        yield
