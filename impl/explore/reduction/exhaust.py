"""exhaust: run every class of equivalent schedules of a program, and say under which assumptions that was every one.

The verdict is never "proven".  It is *exhausted*, with the number of runs and the assumptions, or *not exhausted*, with
the bound that ended the search.

For example, `gather(add(), add())` with `seen = count; await sleep(0); count = seen + 1` has 14 schedules in 4 classes:

    naive   14 runs, 14 to the end     8 with the outcome 1, 6 with the outcome 2
    sleep   10 runs, 4 to the end      the other 6 stop where only sleeping tasks can go on
    source   4 runs, 4 to the end      2 with the outcome 1, 2 with the outcome 2

`Exhaustion.runs` is the first number, `classes` the second; `outcomes` has an entry for 1 and one for 2.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from ...sim.frames import shown_file
from ..choices.odometer import KeepsState
from ..programs.program import Ended
from .drive import DrivenLoop, DrivenRun, Main
from .footprint import Name, log
from .program import NotRewritable, rewritten
from .races import Races
from .ready import CALLBACKS
from .reduce import STEPS_MAX, Algorithm, OneRun, Reduction, Spins

#: Makes the hosts of an exploration: host_impl.impl_hosts, host_asyncio.asyncio_hosts.  The arguments: whether
#: callbacks that commute may stand side by side, and whether accesses are recorded.
Hosts: TypeAlias = Callable[[bool, bool], AbstractContextManager[Callable[[], DrivenLoop]]]

#: The files that a verdict names, at most.
_NAMED_MAX: Final = 3
_ASSUMED: Final = "any ready task may run next, callbacks keep their order, and a timer fires when nothing else can run"


@dataclass(slots=True)
class First:
    """The runs with one outcome: the number of the first one, how it ended, and the processes of its steps."""

    number: int
    end: Ended
    processes: list[Name] = field(repr=False)
    runs: int = 0


@dataclass
class Exhaustion:
    """The result of an exhaustive search."""

    main: Main = field(repr=False)
    #: The files that were rewritten.
    files: list[str] = field(default_factory=list)
    #: The runs that were made, and how many of them came to their end: one for each class, or a few.
    runs: int = 0
    classes: int = 0
    #: The distinct outcomes of main, in the order of their first runs.
    outcomes: dict[Hashable, First] = field(default_factory=dict)
    #: The reason why the search ended too early; "": it ended by itself.
    bound: str = ""
    #: The choices of a run that did not end; None: all did.
    spun: list[int] | None = None
    #: The steps of all runs, and those that were not understood.
    steps: int = 0
    unknown: int = 0
    #: The line that caused most of them; "": there were none.
    cause: str = ""
    #: Under which conditions every class was run.
    assumptions: list[str] = field(default_factory=list)

    @property
    def exhausted(self) -> bool:
        """Whether every class was run."""
        return not self.bound

    def all_differ(self) -> bool:
        """Whether no two runs had one outcome: it may be the time of day."""
        return len(self.outcomes) == self.classes

    def verdict(self) -> str:
        """The verdict in one line."""
        runs = f"{self.runs} run{'s' * (self.runs != 1)}"
        if self.bound:
            return f"not exhausted ({runs}; {self.bound})"
        classes = f"{self.classes} class{'es' * (self.classes != 1)}"
        return f"exhausted ({runs}, {classes}; {'; '.join(self.assumptions)})"


def described(end: Ended) -> Hashable:
    """The outcome of main: its result, or the type and the text of its error."""
    if end.error is None:
        return "returned", repr(end.result)
    return type(end.error).__name__, str(end.error)


def exhaust(
    main: Main,
    hosts: Hosts,
    *,
    runs: int | None = None,
    steps_max: int = STEPS_MAX,
    algorithm: Algorithm = "source",
    groups: bool = True,
    rewrites: bool = True,
    files: Collection[str] = (),
    trusted: bool = False,
    cancels: bool = True,
    races: Races | None = None,
    outcome: Callable[[DrivenRun], Hashable] | None = None,
    until: Callable[[First], bool] = lambda first: False,
) -> Exhaustion:
    """Run every class of equivalent schedules of a program.

    Parameters:
        main: a function without parameters that returns the program's coroutine; it is called once for each run.
        hosts: the runtime.
        runs: the most runs; None: as many as there are.
        steps_max: the most steps of a run; a schedule that needs more ends the search.
        algorithm: `naive` runs every schedule.
        groups: whether callbacks that commute may stand side by side; `naive` never does that.
        rewrites: whether the file of `main` is rewritten.  Otherwise every two steps of the program conflict.
        files: other files of the program, which are rewritten as well.
        trusted: as Driven's, for tests.
        cancels: whether the end of main cancels the tasks that are left.
        races: as Reduction's, for tests.
        outcome: returns the outcome of a run; None: `described` of main's end.
        until: called with each new outcome; whether the search is over.

    Raises:
        KeepsState: the program is no function of its schedule.
        KeyboardInterrupt: the program was interrupted, or has raised it.
    """
    found = Exhaustion(main, assumptions=[_ASSUMED])
    log.forget()
    with ExitStack() as stack:
        if rewrites:
            _rewrite(found, files, stack)
        make = stack.enter_context(hosts(groups and algorithm != "naive", algorithm != "naive"))
        search = Reduction(lambda: DrivenRun(make(), main, trusted, cancels), algorithm, races, steps_max)
        made = stack.enter_context(closing(iter(search)))  # an error here leaves no run open
        try:
            for run in made:
                if _add(found, run, outcome) and until(next(reversed(found.outcomes.values()))):
                    found.bound = "the search ended at this outcome"
                    break
                if runs is not None and search.runs >= runs and search.goes_on():
                    found.bound = f"the search ended after {runs} runs"
                    break
        except Spins as error:
            found.bound, found.spun = str(error), error.choices
        found.runs, found.classes = search.runs, search.complete
    if found.unknown:
        _name_cause(found)
    return found


def _name_cause(found: Exhaustion) -> None:
    """Add to the assumptions how many steps were not understood, and the line that caused most of them."""
    [(found.cause, _)] = log.causes.most_common(1)
    share = f"{found.unknown} of {found.steps} steps ({found.unknown / found.steps:.0%})"
    found.assumptions.append(
        f"{share} were not understood and conflict with all, most at {_short(found.cause) or 'a library'}"
    )


def _add(found: Exhaustion, run: OneRun, outcome: Callable[[DrivenRun], Hashable] | None) -> bool:
    """Add a run to the findings; returns whether its outcome is new."""
    driven = run.driven
    found.steps += driven.steps
    found.unknown += driven.unknown
    if driven.left_out() and not found.bound:
        found.bound = f"{driven.left_out()} did not vary"
    if not run.complete:
        return False
    assert driven.end is not None
    what = described(driven.end) if outcome is None else outcome(driven)
    first = found.outcomes.get(what)
    if first is None:
        first = found.outcomes[what] = First(run.number, driven.end, driven.processes)
    first.runs += 1
    return first.runs == 1


def _rewrite(found: Exhaustion, files: Collection[str], stack: ExitStack) -> None:
    """Rewrite the program until `stack` is closed, if that can be; adds to the assumptions whether it can."""
    try:
        found.files = stack.enter_context(rewritten(found.main, files))
    except (NotRewritable, SyntaxError) as error:
        found.assumptions.append(f"every two steps of the program conflict, because {error}")
        return
    names = [_short(file) for file in found.files]
    more = f" and {len(names) - _NAMED_MAX} more files" if len(names) > _NAMED_MAX else ""
    were = "was" if len(names) == 1 else "were"
    found.assumptions.append(f"{', '.join(names[:_NAMED_MAX])}{more} {were} rewritten in memory")


def _short(path: str) -> str:
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path if os.path.exists(path) else shown_file(path)


def choices_of(found: Exhaustion, hosts: Hosts, first: First) -> list[int]:
    """The choices of order `any`, in the lane of the schedule, that repeat the first run of an outcome.

    Callbacks that stood side by side run in their order instead, which no program can tell apart.

    Raises:
        KeepsState: the run with these choices ends in another way.
    """
    log.forget()
    with ExitStack() as stack:
        if found.files:
            stack.enter_context(rewritten(found.main, found.files))
        make = stack.enter_context(hosts(False, True))
        driven = DrivenRun(make(), found.main)
        try:
            left = list(first.processes)
            while (enabled := driven.enabled()) and driven.end is None:
                driven.step(_next(left, enabled))
            if driven.end is None or driven.end.said != first.end.said:
                raise KeepsState(f"the schedule of run {first.number} ends in another way under order 'any'")
            return driven.choices
        finally:
            driven.close()


def _next(left: list[Name], enabled: list[Name]) -> Name:
    """The process that runs next, to follow the steps that are `left`; removes one of them."""
    wanted = left[0] if left else None
    if wanted in enabled:
        return left.pop(0)
    if CALLBACKS in enabled:
        for n, name in enumerate(left):
            if name == CALLBACKS or (isinstance(name, tuple) and name[:1] == ("callback",)):
                del left[n]
                break
        return CALLBACKS
    return enabled[0]
