"""Schedules that lead a real object to every step of its specification that a loop of asyncio's order can take.

Theory of operation.  A real loop does not take whatever step the specification allows next: a task that was woken runs
in the turn after, behind those that were ready before it.  So the search runs over the states of the specification
together with the line of tasks that are ready:

    a call that may wait    puts its task at the end of the line, and takes place when the task runs
    any other event         takes place at once, from outside the loop, and may wake tasks: they join the line
    a turn                  runs the tasks that stand in the line, in order; whom they wake stands in the next one

A caller whose call has begun but not taken place may still do what needs no task: a program may put an item and wait
for the join in one go.  The search is breadth-first, so the schedule found for a step is one of the shortest.  The
steps that it does not find are those for which a loop would have to change the order of its tasks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Generic, NamedTuple

from spec.kit.core import Event, K, S
from spec.kit.model import Model
from spec.kit.trace import Do, Return

#: One turn of the loop, as a move of a schedule.
TURN = Event("turn")
#: What is to be asked for, and turns.
Schedule = tuple[Event, ...]
#: A task that stands in the line, by its caller; with the call that it is to make, or None: it was woken.
Ready = tuple[Hashable, Event | None]


class Step(NamedTuple):
    """One step of a specification; its states by their numbers."""

    before: int
    event: Event
    after: int


class Point(NamedTuple):
    """Where a schedule has led to, between two turns."""

    state: int
    line: tuple[Ready, ...]


class Search(Generic[K, S]):
    """What schedules can reach in `model`; `waits` names the actions that are calls that may wait.

    A hidden action is taken to be what a woken caller, its first parameter, does when it runs.  `most`: enough of
    steps; the rest are farther away than those found, or as far.

    `states`: those that were met, by number.  `found`: each step, with the point and the move that first take it.
    """

    def __init__(self, model: Model[K, S], waits: Collection[str], most: int | None = None) -> None:
        self.model, self.waits = model, waits
        self.states: list[S] = []
        self._numbers: dict[S, int] = {}
        self._asked: list[
            dict[Event, list[int]]
        ] = []  # by number: the visible events, and where each leads to
        self._due: list[dict[Hashable, Step]] = []  # by number: what each caller that was woken does
        self._hidden = frozenset(a.name for a in model.spec.actions.values() if a.hidden)
        self._origin: dict[Point, tuple[Point, Event] | None] = {}
        self.found: dict[Step, tuple[Point, Event]] = {}
        self._run(most)

    def schedule(self, step: Step) -> Schedule:
        """A shortest schedule whose last move takes `step`."""
        at, last = self.found[step]
        moves = [last]
        while (origin := self._origin[at]) is not None:
            at, move = origin
            moves.append(move)
        return tuple(reversed(moves))

    def follow(self, schedule: Schedule) -> Iterator[Step]:
        """The steps that a loop takes that keeps to `schedule`, one of those found."""
        here = next(iter(self._origin))
        for wanted in schedule:
            here, steps = next((there, steps) for move, there, steps in self._moves(here) if move == wanted)
            yield from steps

    def lines(self, schedule: Schedule) -> Iterator[Do | Return]:
        """What is recorded of an object that keeps to `schedule`."""
        for before, event, after in self.follow(schedule):
            action = self.model.spec.actions[event.name]
            if not action.hidden:
                yield Do(event)
            if action.answer is not None:
                told = action.answer(self.model.k, self.states[before], self.states[after], *event.args)
                yield from (Return(event.args[0], x) for x in told)

    # --- the search --------------------------------------------------------------------------------------------

    def _run(self, most: int | None) -> None:
        self._origin.update((Point(self._number(s), ()), None) for s in self.model.init)
        todo = deque(self._origin)
        while todo and (most is None or len(self.found) < most):
            here = todo.popleft()
            for move, there, steps in self._moves(here):
                for step in steps:
                    self.found.setdefault(step, (here, move))
                if there not in self._origin:
                    self._origin[there] = here, move
                    todo.append(there)

    def _moves(self, here: Point) -> Iterator[tuple[Event, Point, list[Step]]]:
        """Each move that can be made here, with where it leads and the steps that it takes."""
        number, line = here
        self._expand(number)
        begun = {caller for caller, call in line if call is not None}
        for event, after in self._asked[number].items():
            if event.name not in self.waits:
                for n in after:
                    yield event, Point(n, line + self._woken(number, n)), [Step(number, event, n)]
            elif event.args[0] not in begun:
                yield event, Point(number, (*line, (event.args[0], event))), []
        if line and (turn := self._turn(here)) is not None:
            yield TURN, *turn

    def _turn(self, here: Point) -> tuple[Point, list[Step]] | None:
        """One turn; None when a call that was begun has become impossible: an instance makes so many and no more."""
        number = here.state
        line: tuple[Ready, ...] = ()
        steps = []
        for caller, call in here.line:
            self._expand(number)
            if call is None:
                step = self._due[number][caller]
            elif call in self._asked[number]:
                step = Step(number, call, self._asked[number][call][0])
            else:
                return None
            line += self._woken(number, step.after)
            steps.append(step)
            number = step.after
        return Point(number, line), steps

    def _woken(self, before: int, after: int) -> tuple[Ready, ...]:
        """Who joins the line in this step."""
        self._expand(after)
        return tuple((caller, None) for caller in self._due[after] if caller not in self._due[before])

    def _number(self, s: S) -> int:
        if s not in self._numbers:
            self._numbers[s] = len(self.states)
            self.states.append(s)
        return self._numbers[s]

    def _expand(self, number: int) -> None:
        """Find out what may happen in a state, and in those numbered before it."""
        while len(self._asked) <= number:
            here = len(self._asked)
            asked: dict[Event, list[int]] = {}
            due: dict[Hashable, Step] = {}
            for event, t in self.model.successors(self.states[here]):
                if event.name in self._hidden:
                    due.setdefault(event.args[0], Step(here, event, self._number(t)))
                else:
                    asked.setdefault(event, []).append(self._number(t))
            self._asked.append(asked)
            self._due.append(due)


def in_rounds(steps: Iterable[Step], kind: Callable[[Step], Hashable]) -> list[Step]:
    """The first step of each kind, in the order in which kinds are met, then the second of each, and so on."""
    kinds: dict[Hashable, int] = {}
    rounds: list[tuple[int, Step]] = []
    for step in steps:
        number = kinds[kind(step)] = kinds.get(kind(step), -1) + 1
        rounds.append((number, step))
    return [step for _, step in sorted(rounds, key=lambda pair: pair[0])]  # sorting is stable
