"""Whether the runs of a search can be trusted: made again at its end, they must be the same.

The plain run is made once more: where a run before it has left something behind, it often goes another way.  Where runs
have changed module-level state (module_state/snapshot.py), it and the first runs are made again from the state before
the search: one that ends in another way there shows that the search tested something else; if it fails, it is a
finding.  A counter or a cache shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Final

from ...errors import UnfinishedError
from ...runners.simulate import isolated
from ...sim.choices import Choices
from ...sim.outcome import is_result
from ...sim.set_order import first_iteration
from ..choices.odometer import KeepsState
from ..module_state.snapshot import ModuleState
from ..programs.program import Ended, Program

#: The runs that are made again if module-level state has changed.
RUNS_MAX: Final = 200
#: How often a run is made in a row, to see whether two of them differ.
_IN_A_ROW: Final = 4

#: Makes the choices of a run; it may be called again.
Make = Callable[[], Choices]


def explain(error: KeepsState, program: Program, state: ModuleState) -> None:
    """Note why runs differ: one is made some times in the same way, with nothing in between."""
    error.names = error.names or state.changed()
    make, error.make = error.make or Choices.plain, None

    def once() -> tuple[str, bytes]:
        state.restore()
        with isolated(0):
            choices = make()
            return program.once(choices).outcome(), choices.digest()

    with program.around(), state.at_first():
        _, error.place = first_iteration(once)
        error.twice = len({once() for _ in range(_IN_A_ROW)}) > 1


class Repeated:
    """The first runs of a search.

    Parameters:
        state: of the program's modules, before the search.
        once: makes a run; returns how it ended, and its choices.
    """

    def __init__(self, state: ModuleState, once: Callable[[Make], tuple[Ended, Choices]]) -> None:
        self._state, self._once = state, once
        self._runs: list[tuple[Make, str]] = []
        self._plain: tuple[str, bytes] | None = None

    def plain(self, ended: Ended, choices: Choices) -> None:
        """Note the plain run, the first of all."""
        if not isinstance(ended.error, UnfinishedError):
            self._plain = ended.outcome(), choices.digest()

    def add(self, again: Callable[[], Make], outcome: str) -> None:
        """Note a run, unless there are enough; `again` returns a maker of its choices."""
        if len(self._runs) < RUNS_MAX:
            self._runs.append((again(), outcome))

    def check(self, failed: Callable[[Ended], bool]) -> tuple[int, Ended, Make] | None:
        """Make runs again; returns the number of one that fails from the state before the search, how it ends then,
        and a maker of its choices.

        Raises:
            KeepsState: one of them is another run, and does not fail.
        """
        changed = bool(self._state.changed())
        if changed and (found := self._from_the_first_state(failed)) is not None:
            return found
        if self._plain is None or not self._runs:
            return None
        outcome, met = self._plain
        with self._state.at_first() if changed else nullcontext():
            ended, choices = self._again(outcome, Choices.plain)
        if ended is not None:
            how = f"ended with {outcome!r}, and, made again at the end, with {ended.outcome()!r}"
        elif choices.digest() != met:
            how = "came to other choice points when it was made again at the end"
        else:
            return None
        raise KeepsState(f"the first run {how}")

    def _from_the_first_state(self, failed: Callable[[Ended], bool]) -> tuple[int, Ended, Make] | None:
        with self._state.at_first():
            for number, (make, outcome) in enumerate(self._runs, 1):
                ended, _ = self._again(outcome, make, self._state.restore)
                if ended is None:
                    continue
                if failed(ended):
                    return number, ended, make
                raise KeepsState(
                    f"run {number} ended with {outcome!r}, and, made again from the state before the first run, "
                    f"with {ended.outcome()!r}",
                    make=make,
                )
        return None

    def _again(
        self, outcome: str, make: Make, prepare: Callable[[], object] = lambda: None
    ) -> tuple[Ended | None, Choices]:
        """Make a run again; returns how it ended, or None if as before, and its choices.

        A result that is another one each time, such as the time of day, counts as the one of before.
        """
        prepare()
        first, choices = self._once(make)
        ended = first.outcome()
        if ended != outcome and is_result(ended) and is_result(outcome):
            prepare()
            if self._once(make)[0].outcome() != ended:
                return None, choices
        return (None if ended == outcome else first), choices
