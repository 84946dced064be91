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

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import cache
from typing import Final, Generic, NamedTuple

from impl.sim.garbage import uncollected
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
#: The state of a search between two iterations: a state of the specification, by its number, and the ready tasks.
Point = tuple[int, tuple[Ready, ...]]


class SearchStep(NamedTuple):
    """One step of a specification; states are given by their numbers in the search."""

    before: int
    event: Event
    after: int


class Offer(NamedTuple):
    """A visible event that a state allows.

    A call that may wait makes a task ready, `call`; any other event is a step at once, which wakes `wakes`.
    """

    event: Event
    call: Ready | None
    steps: tuple[SearchStep, ...]
    wakes: tuple[Ready, ...]


class ScheduleSearch(Generic[K, S]):
    """The steps that schedules can take in `model`; `waits` names the actions that are calls that may wait.

    A hidden action is the step of its first parameter, a woken caller, when it runs.  The search ends after `most`
    steps, or POINTS_PER_STEP times as many points, if that is given; the steps left out are no nearer than those found.

    `states` are the states by number.  `found` has each step with the point and the move that take it first.
    """

    def __init__(self, model: Model[K, S], waits: Collection[str], most: int | None = None) -> None:
        self.model, self.waits = model, waits
        self.states: list[S] = []
        self._numbers: dict[S, int] = {}
        # By the number of a state, when they are first needed: where each visible event leads, with the step of each
        # woken caller; and the offers of the state at all the points that share it.
        self._nexts: dict[int, tuple[dict[Event, list[SearchStep]], dict[Caller, SearchStep]]] = {}
        self._offers: dict[int, list[Offer]] = {}
        self._hidden = frozenset(a.name for a in model.spec.actions.values() if a.hidden)
        self._origin: dict[Point, tuple[Point, Event] | None] = {}
        self.found: dict[SearchStep, tuple[Point, Event]] = {}
        with uncollected():
            self._run(most)

    def schedule(self, step: SearchStep) -> Schedule:
        """Return a shortest schedule that takes `step` with its last move."""
        at, last = self.found[step]
        return (*self._path(at), last)

    def withdrawals(self, model: Model[K, S]) -> list[Schedule]:
        """Return a shortest schedule to each state, followed by each request that `model` lets a caller take back
        there, and an iteration; each schedule once.

        The caller is then where it was before its request, so no other state needs such a move.
        """
        takes_back = [event for event in model.events if event.name == "uncancel"]
        firsts: dict[int, Point] = {}
        for point in self._origin:
            firsts.setdefault(point[0], point)
        schedules = (
            (*self._path(point), event, TURN)
            for number, point in firsts.items()
            for event in takes_back
            if model.allows(self.states[number], event)
        )
        return list(dict.fromkeys(schedules))

    def _path(self, at: Point) -> Schedule:
        moves = []
        while (origin := self._origin[at]) is not None:
            at, move = origin
            moves.append(move)
        return tuple(reversed(moves))

    def follow(self, schedule: Schedule) -> Iterator[SearchStep]:
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
        self._origin.update(((self._number(s), ()), None) for s in self.model.init)
        todo = deque(self._origin)
        while todo and (most is None or (len(self.found) < most and len(self._origin) < most * POINTS_PER_STEP)):
            here = todo.popleft()
            taken = here[0] in self._offers  # its steps at once were found where the state was met first
            for move, there, steps in self._moves(here):
                if not taken or move is TURN:
                    for step in steps:
                        self.found.setdefault(step, (here, move))
                if there not in self._origin:
                    self._origin[there] = here, move
                    todo.append(there)

    def _moves(self, here: Point) -> Iterator[tuple[Event, Point, Sequence[SearchStep]]]:
        """Yield each move that is possible here, with the point that it leads to and the steps that it takes."""
        number, ready = here
        begun = {caller for caller, call in ready if call is not None}
        for event, call, steps, wakes in self._offered(number):
            if call is None:
                # A task that is woken and has not run yet is not enqueued a second time; so `ready` has a bound.
                new = wakes and tuple(each for each in wakes if each not in ready)
                yield event, (steps[0].after, ready + new), steps
            elif call[0] not in begun:
                yield event, (number, (*ready, call)), steps
        if ready and (turn := self._turn(here)) is not None:
            yield TURN, *turn

    def _turn(self, here: Point) -> tuple[Point, list[SearchStep]] | None:
        """Take one iteration; return None if a call has become impossible: a bounded model limits the number of
        calls."""
        number, todo = here
        visible, due = self._expanded(number)
        ready: tuple[Ready, ...] = ()
        steps = []
        for caller, call in todo:
            if call is None and caller not in due:
                continue  # it was woken in vain: another task was faster
            if call is None:
                step = due[caller]
            elif call in visible:
                step = visible[call][0]
            else:
                return None
            steps.append(step)
            number, was_due = step.after, due
            visible, due = self._expanded(number)
            ready += woken(was_due, due)
        return (number, ready), steps

    def _offered(self, number: int) -> list[Offer]:
        """Return the offers of a state."""
        offers = self._offers.get(number)
        if offers is None:
            offers = self._offers[number] = []
            visible, due = self._expanded(number)
            for event, steps in visible.items():
                if event.name in self.waits:
                    offers.append(Offer(event, (event.args[:1], event), (), ()))
                else:
                    for step in steps:
                        offers.append(Offer(event, None, (step,), woken(due, self._expanded(step.after)[1])))
        return offers

    def _number(self, s: S) -> int:
        number = self._numbers.setdefault(s, len(self.states))
        if number == len(self.states):
            self.states.append(s)
        return number

    def _expanded(self, number: int) -> tuple[dict[Event, list[SearchStep]], dict[Caller, SearchStep]]:
        """Return where each visible event leads from a state, and the step of each woken caller."""
        found = self._nexts.get(number)
        if found is None:
            visible: dict[Event, list[SearchStep]] = {}
            due: dict[Caller, SearchStep] = {}
            for event, t in self.model.successors(self.states[number]):
                step = SearchStep(number, event, self._number(t))
                if event.name in self._hidden:
                    due.setdefault(event.args[:1], step)
                else:
                    visible.setdefault(event, []).append(step)
            found = self._nexts[number] = visible, due
        return found


def woken(was_due: Collection[Caller], due: Collection[Caller]) -> tuple[Ready, ...]:
    """Return the tasks that a step wakes, from the callers that were due before it and those after it."""
    return tuple([(caller, None) for caller in due if caller not in was_due]) if due else ()


def in_rounds(steps: Iterable[SearchStep], kind: Callable[[SearchStep], Hashable]) -> list[SearchStep]:
    """Return the first step of each kind, in the order of the kinds' first steps, then the second of each, and so
    on."""
    kinds: dict[Hashable, int] = {}
    rounds: list[tuple[int, SearchStep]] = []
    for step in steps:
        number = kinds[kind(step)] = kinds.get(kind(step), -1) + 1
        rounds.append((number, step))
    return [step for _, step in sorted(rounds, key=lambda pair: pair[0])]  # sorting is stable


def up_to_renaming(search: ScheduleSearch[K, S], canon: Callable[[S], S] | None) -> dict[SearchStep, tuple[S, S]]:
    """Return the first of the steps that differ only in the names of tasks, each with its states as `canon` has
    them."""
    assert canon is not None
    numbers: dict[S, int] = {}
    number = cache(lambda state: numbers.setdefault(canon(search.states[state]), len(numbers)))
    distinct: dict[tuple[int, str, int], SearchStep] = {}
    for step in search.found:
        distinct.setdefault((number(step.before), step.event.name, number(step.after)), step)
    classes = list(numbers)
    return {step: (classes[before], classes[after]) for (before, _, after), step in distinct.items()}
