"""Whether the documentation allows the lines of a program, although impl shows others.

The lines are searched for among the runs of the reference under order `any` with the freedoms of `freedoms`: any ready
task may run first, and a call may take more turns, or fewer.  The search is one in depth over the choices of a run
(impl/explore/choices/odometer.py).  A run that has shown another line than the one searched for is of no interest any
more: the choices that came before that line are skipped with all that could follow.

Two tasks that wait are served in the order of their calls, so the lines must show when a task calls: a `Stepping`
player notes the beginning of each statement that may wait.  These lines are compared here, and nowhere else.

For example, tasks a and b wait on a semaphore, main releases once, and the subject lets b go on.  impl shows a.  With
`unordered`, which leaves out the rules that are only settled, the search goes:

    first run   all choices 0                a goes on: another line than the one searched for, so the run is over
    a later     the line of waiters turned   b goes on, and the lines that follow are equal as well: YES

No sentence gives an order to the waiters of a semaphore.  A lock is documented as fair: its waiters are never turned,
every run ends at that line, and the result is NO.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import impl
from impl.explore.choices.odometer import Odometer
from impl.sim.choices import Choices

from ..programs.differences import Difference
from ..programs.enumeration import Program
from ..programs.freedoms import designs
from ..programs.runtimes import TURNS_MAX, Ours, loop_of
from .normal import LEFT, Line, NormalForm, played, strings
from .predicates.parts import Calling, Part, ProgramStep, steps
from .predicates.trace import Trace
from .stepping import Stepping

#: The most runs that are searched for the lines of one program, of each design.
RUNS: Final = 300
#: As many runs of each design are searched first: most lines that the right one shows are found in these.
FEW: Final = 10


class Allowed(Enum):
    """Whether some run of the reference shows the lines; undecided: no run did, and there are more than RUNS."""

    YES = "yes"
    NO = "no"
    UNDECIDED = "undecided"


def allowed(
    program: Program,
    lines: list[Line],
    rules: Collection[str],
    brings: Collection[str],
    most: int = RUNS,
    unordered: bool = False,
    taken: Collection[Difference] = (),
    differs: Mapping[str, Any] = MappingProxyType({}),
    part: Part | None = None,
) -> tuple[Allowed, int]:
    """Search the runs of the reference for these lines; returns how many runs there were, too.

    With `part`, a run that shows that part of the lines will do, if the calls before it are made in the same order;
    or any run that shows it, if no run of the reference makes these calls in that order.

    Parameters:
        lines: those of the subject, by a Stepping player.
        rules: the rules that the program shows; they determine the normal form.
        brings: the names that the subject brings: only those have freedoms.
        most: how many runs are searched.
        unordered: as in `designs`.
        taken: bugs of asyncio's own code, which the reference then has, too.
        differs: as in `designs`.
    """
    form = NormalForm(program, rules)
    wanted = form.of(lines)
    own = {name: new for each in taken for name, new in each.names.items() if name in brings}
    every = list(designs(brings, set(strings(program)), unordered, {**own, **differs}))
    if part is None:
        return _of_designs(program, partial(Guide, form, wanted), every, most, brings, taken)
    reached: list[bool] = []
    guide = partial(OfPart, form, part, until(part, program, wanted), reached)
    found, runs = _of_designs(program, guide, every, most, brings, taken)
    if found is Allowed.NO and not reached:
        found, more = _of_designs(program, partial(OfPart, form, part, [], []), every, most, brings, taken)
        runs += more
    return found, runs


def until(part: Part, program: Program, lines: list[Line]) -> list[Line]:
    """Return the lines before a part; none if that is another step, or several tasks have one actor's name."""
    if part.before or not Trace(program, []).certain:
        return []
    return lines[: next((n for n, (step, *_) in enumerate(steps(lines)) if step == part.step), None)]


def _of_designs(
    program: Program, guide: Callable[[], Guide], left: list[Any], most: int, *with_names: Any
) -> tuple[Allowed, int]:
    """Search a few runs of each design, then more."""
    runs = 0
    for bound in dict.fromkeys([min(FEW, most), most]) if len(left) > 1 else [most]:
        undecided = []
        for names in left:
            found, number = _searched(program, guide, names, bound, *with_names)
            runs += number
            if found is Allowed.YES:
                return found, runs
            undecided += [names] if found is Allowed.UNDECIDED else []
        left = undecided
    return (Allowed.UNDECIDED if left else Allowed.NO), runs


def _searched(
    program: Program,
    guide: Callable[[], Guide],
    names: Any,
    most: int,
    brings: Collection[str],
    taken: Collection[Difference],
) -> tuple[Allowed, int]:
    """Search the runs of one design."""
    # A class of loops, or a function.
    make: Any = impl.Loop if names.Task is impl.Task else loop_of(task=names.Task)
    for difference in taken:
        vars(names).update({name: new for name, new in difference.names.items() if name not in brings})
        make = difference.loop or make
    own: dict[str, Any] = {"deadlocked": lambda loop: impl.DeadlockError()}  # its text takes longer than the run
    if names.Future is not impl.Future:
        own["create_future"] = lambda loop: names.Future(loop)
    opened: Any = type("Loop", (make,), own)  # Any: its loops may be given attributes
    odometer = Odometer()
    for number in range(1, most + 1):
        follows = guide()
        run = Followed(program, names, opened, odometer, follows)
        if follows.met(played(run.play)) or run.unspecified:
            return Allowed.YES, number
        if not odometer.next():
            return Allowed.NO, number
    return Allowed.UNDECIDED, most


class Guide:
    """Compares the lines of a run, one by one, with those that are wanted."""

    def __init__(self, form: NormalForm, wanted: list[Line]) -> None:
        self._form, self._wanted = form, wanted
        self._left: dict[str, list[Line]] = {}
        for line in reversed(wanted):
            self._left.setdefault(self._actor(line), []).append(line)

    def _actor(self, line: Line) -> str:
        return str(line[1]) if self._form.by_actor or line[1] == "loop" else ""

    def agrees(self, line: Line) -> bool:
        """Whether the run may still have the wanted lines after this one."""
        for each in self._form.of([line]):
            left = self._left.get(self._actor(each))
            if not left or left.pop() != each:
                return False
        return True

    def met(self, lines: list[Line]) -> bool:
        """Whether a run with these lines is the one that is searched for."""
        return self._form.of(lines) == self._wanted


class OfPart(Guide):
    """Looks in the lines of a run for one part, after these calls in their order; when they return is left open.

    `reached` is no longer empty once a run has made all these calls.
    """

    def __init__(self, form: NormalForm, part: Part, before: list[Line], reached: list[bool]) -> None:
        super().__init__(form, [_call(line) for line in filter(Calling(), before)])
        self._part, self._reached, self._calling = part, reached, Calling()
        self._steps = Counter[tuple[str, str]]()
        #: Whether the run shows the part, once that is certain.
        self._shown: bool | None = None

    def agrees(self, line: Line) -> bool:
        for each in self._form.of([line]):
            at, actor, what, outcome = each
            step = ProgramStep(actor, what, self._steps[actor, what])
            self._steps[actor, what] += 1
            if self._shown is None and step == self._part.step:
                self._shown = self._part.outcome == outcome and self._part.at in (None, at)
            elif self._shown is None and step == self._part.before:
                self._shown = False
            left = self._left.get(self._actor(each))
            if self._calling(each) and left and left.pop() != _call(each):
                self._shown = False
                return False
        if all_called := not any(self._left.values()):
            self._reached.append(True)
        return self._shown is None or not all_called

    def met(self, lines: list[Line]) -> bool:
        shown = self._part.outcome is None if self._shown is None else self._shown
        return shown and not any(self._left.values())


def _call(line: Line) -> Line:
    return [0, *line[1:3], ""]


class Followed(Stepping):
    """A run of the reference that draws nothing more once it has left the wanted lines."""

    def __init__(
        self,
        program: Program,
        names: Any,
        make: Any,  # a class of loops that may be given attributes
        odometer: Odometer,
        guide: Guide,
    ) -> None:
        self._choices: Choices = odometer.choices()
        self._guide, self._lost = guide, False
        #: Whether the lines agree until a moment after which the documentation promises nothing.
        self.unspecified = False
        loop = make(self._choices, "any", turns_max=TURNS_MAX, ready=names.Order(self._choices.schedule.pick))
        loop.unspecified = self.any_follows
        super().__init__(program, Ours(names, loop))

    def any_follows(self) -> None:
        """Whatever follows is right."""
        self.unspecified = self.unspecified or not self._lost
        self.lose()

    def lose(self) -> None:
        """Draw nothing more, and end the run soon: its later lines are not compared."""
        self._lost = True
        self._choices.finish()
        self.loop.stop()

    def play(self) -> list[Line]:
        try:
            return super().play()
        finally:  # also after an error: no coroutine is left to the next run, which would draw for it
            self._lost = self.over = True  # the lines are complete
            self._choices.finish()
            self.loop.close()  # to end the tasks in order would take longer than the run

    def note(self, actor: str, what: str, outcome: str) -> None:
        if self.over:
            return
        super().note(actor, what, outcome)
        if not self._lost and not self._guide.agrees(self.lines[-1]):
            self.lose()
            self.over = [actor, what] != LEFT  # such an error counts once, however often it leaves the loop

    def show(self, value: Any) -> str:
        return "" if self.over else super().show(value)

    def state(self, thing: Any) -> str:
        return "" if self.over else super().state(thing)

    def end(self, named: list[str]) -> None:
        """Leave the end to `play`."""
