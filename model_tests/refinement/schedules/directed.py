"""Directed schedules: the shortest moves to every step of a specification that an event loop can take.

An event loop in asyncio's order does not take any step that the specification allows: a task that is woken runs in
the next iteration, behind the tasks that were ready before it.  So the search runs over the states of the
specification together with the queue of ready tasks:

    a call that may wait    enqueues its task; the step takes place when the task runs
    any other event         is a step at once, from outside the loop, and may wake tasks, which are enqueued
    a turn (an iteration)   runs the tasks that are ready, in order; tasks that they wake run in the next one

A caller with a call that is begun but has not taken place may still make a call that needs no task.  The search is
breadth-first, so the schedule to a step is one of the shortest.  A step that it does not find would need another
order of tasks.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Final, Generic, NamedTuple

from spec.kit.core import Event, K, S
from spec.kit.model import Model
from spec.kit.trace import Do, Return

#: A search that ends after so many steps visits at most so many points for each of them: a small specification of many
#: tasks has few steps, and a great many orders of ready tasks.
POINTS_PER_STEP: Final = 30
#: One loop iteration, as a move of a schedule.
TURN = Event("turn")
#: Events to request, and iterations.
Schedule = tuple[Event, ...]
#: A caller, as first arguments: none, of a hidden event that has no caller.
Caller = tuple[Hashable, ...]
#: A ready task, by its caller, with the call that it will make; None if it was woken.
Ready = tuple[Caller, Event | None]


class Step(NamedTuple):
    """One step of a specification; states are given by their numbers in the search."""

    before: int
    event: Event
    after: int


class Point(NamedTuple):
    """The state of a search between two iterations."""

    state: int
    ready: tuple[Ready, ...]


class Search(Generic[K, S]):
    """The steps that schedules can take in `model`; `waits` names the actions that are calls that may wait.

    A hidden action is what its first parameter, a woken caller, does when it runs.  The search ends after `most`
    steps, or POINTS_PER_STEP times as many points, if that is given; the steps left out are no nearer than those found.

    `states` are the states by number.  `found` has each step with the point and the move that take it first.
    """

    def __init__(self, model: Model[K, S], waits: Collection[str], most: int | None = None) -> None:
        self.model, self.waits = model, waits
        self.states: list[S] = []
        self._numbers: dict[S, int] = {}
        # By the number of a state: where each visible event leads, and the step of each woken caller.
        self._visible: list[dict[Event, list[int]]] = []
        self._due: list[dict[Caller, Step]] = []
        self._wakes: dict[tuple[int, int], tuple[Ready, ...]] = {}
        self._hidden = frozenset(a.name for a in model.spec.actions.values() if a.hidden)
        self._origin: dict[Point, tuple[Point, Event] | None] = {}
        self.found: dict[Step, tuple[Point, Event]] = {}
        collecting = gc.isenabled()
        gc.disable()  # a search makes millions of objects, and none of them is garbage
        try:
            self._run(most)
        finally:
            if collecting:
                gc.enable()

    def schedule(self, step: Step) -> Schedule:
        """Return a shortest schedule whose last move takes `step`."""
        at, last = self.found[step]
        moves = [last]
        while (origin := self._origin[at]) is not None:
            at, move = origin
            moves.append(move)
        return tuple(reversed(moves))

    def follow(self, schedule: Schedule) -> Iterator[Step]:
        """Yield the steps that a loop takes along `schedule`, which the search has found."""
        here = next(iter(self._origin))
        for wanted in schedule:
            here, steps = next((there, steps) for move, there, steps in self._moves(here) if move == wanted)
            yield from steps

    def lines(self, schedule: Schedule) -> Iterator[Do | Return]:
        """Yield the trace of an object that takes the steps of `schedule`."""
        for before, event, after in self.follow(schedule):
            action = self.model.spec.actions[event.name]
            if not action.hidden:
                yield Do(event)
            if action.answer is not None:
                answers = action.answer(self.model.k, self.states[before], self.states[after], *event.args)
                yield from (Return(event.args[0], answer) for answer in answers)

    # --- the search --------------------------------------------------------------------------------------------

    def _run(self, most: int | None) -> None:
        self._origin.update((Point(self._number(s), ()), None) for s in self.model.init)
        todo = deque(self._origin)
        while todo and (
            most is None or (len(self.found) < most and len(self._origin) < most * POINTS_PER_STEP)
        ):
            here = todo.popleft()
            for move, there, steps in self._moves(here):
                for step in steps:
                    self.found.setdefault(step, (here, move))
                if there not in self._origin:
                    self._origin[there] = here, move
                    todo.append(there)

    def _moves(self, here: Point) -> Iterator[tuple[Event, Point, list[Step]]]:
        """Yield each move that is possible here, with the point that it leads to and the steps that it takes."""
        number, ready = here
        self._expand(number)
        begun = {caller for caller, call in ready if call is not None}
        for event, after in self._visible[number].items():
            if event.name not in self.waits:
                for n in after:
                    # A task that is woken and has not run yet is not enqueued a second time; so `ready` has a bound.
                    woken = tuple(each for each in self._woken(number, n) if each not in ready)
                    yield event, Point(n, ready + woken), [Step(number, event, n)]
            elif event.args[:1] not in begun:
                yield event, Point(number, (*ready, (event.args[:1], event))), []
        if ready and (turn := self._turn(here)) is not None:
            yield TURN, *turn

    def _turn(self, here: Point) -> tuple[Point, list[Step]] | None:
        """Take one iteration; return None if a call has become impossible: a bounded model limits the number of
        calls."""
        number = here.state
        ready: tuple[Ready, ...] = ()
        steps = []
        for caller, call in here.ready:
            self._expand(number)
            if call is None and caller not in self._due[number]:
                continue  # it was woken in vain: another task has taken what it waits for
            if call is None:
                step = self._due[number][caller]
            elif call in self._visible[number]:
                step = Step(number, call, self._visible[number][call][0])
            else:
                return None
            ready += self._woken(number, step.after)
            steps.append(step)
            number = step.after
        return Point(number, ready), steps

    def _woken(self, before: int, after: int) -> tuple[Ready, ...]:
        """Return the tasks that this step wakes; it is taken from many points."""
        woken = self._wakes.get((before, after))
        if woken is None:
            self._expand(after)
            due, was_due = self._due[after], self._due[before]
            woken = tuple((caller, None) for caller in due if caller not in was_due)
            self._wakes[before, after] = woken
        return woken

    def _number(self, s: S) -> int:
        if s not in self._numbers:
            self._numbers[s] = len(self.states)
            self.states.append(s)
        return self._numbers[s]

    def _expand(self, number: int) -> None:
        """Compute the successors of a state, and of those numbered before it."""
        while len(self._visible) <= number:
            here = len(self._visible)
            visible: dict[Event, list[int]] = {}
            due: dict[Caller, Step] = {}
            for event, t in self.model.successors(self.states[here]):
                if event.name in self._hidden:
                    due.setdefault(event.args[:1], Step(here, event, self._number(t)))
                else:
                    visible.setdefault(event, []).append(self._number(t))
            self._visible.append(visible)
            self._due.append(due)


def in_rounds(steps: Iterable[Step], kind: Callable[[Step], Hashable]) -> list[Step]:
    """Return the first step of each kind, in the order of the kinds' first steps, then the second of each, and so
    on."""
    kinds: dict[Hashable, int] = {}
    rounds: list[tuple[int, Step]] = []
    for step in steps:
        number = kinds[kind(step)] = kinds.get(kind(step), -1) + 1
        rounds.append((number, step))
    return [step for _, step in sorted(rounds, key=lambda pair: pair[0])]  # sorting is stable


def up_to_renaming(search: Search[K, S], canon: Callable[[S], S] | None) -> dict[Step, tuple[S, S]]:
    """Return the first of the steps that differ only in the names of tasks, each with its states as `canon` has
    them."""
    assert canon is not None
    classes = [canon(s) for s in search.states]
    distinct: dict[Hashable, Step] = {}
    for step in search.found:
        distinct.setdefault((classes[step.before], step.event.name, classes[step.after]), step)
    return {step: (classes[step.before], classes[step.after]) for step in distinct.values()}
