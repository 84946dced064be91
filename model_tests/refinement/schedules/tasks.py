"""Directed schedules of tasks: shortest moves to every step of a small loop with a first in, first out ready queue.

The search runs over the states of the fifo grade, together with the number of jobs that have still to run in this
iteration:

    between iterations    a call from outside, or TURN: all jobs that are ready now will run
    in an iteration       the first job in the ready queue runs, which is a step but no move
    while a task runs     a call, or the next statement of the task

The search is breadth-first over moves; it finds the same schedules in the same order each time.  The runs of tasks,
futures and shields along them are held to the specification of tasks, first in, first out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from functools import cache
from typing import Final, NamedTuple

from spec.kit.core import Event
from spec.kit.fifo import Queued
from spec.kit.monitor import Monitor
from spec.task import Const, Is, Loop, task_fifo_model

from ..machines.shortest_paths import TURN, Schedule, SearchStep, in_rounds
from ..machines.tasks import MOST, task_adapter
from ..subjects import Subject
from .drive import Driver

#: Actions that begin a job.
TURNS: Final = frozenset({"step", "stillborn", "relay"})


class World(NamedTuple):
    """The numbers of tasks and plain futures, the futures that have a shield, and how many steps the search finds."""

    tasks: int
    futures: int
    shields: tuple[int, ...]
    steps: int


WORLDS: Final = (
    World(2, 1, (), 4_000),
    World(3, 1, (), 3_000),
    World(2, 2, (2,), 2_000),
    World(2, 1, (0,), 2_000),
)


class TaskSchedule(NamedTuple):
    """A schedule, and the world that it is for."""

    world: World
    schedule: Schedule


class Point(NamedTuple):
    """The state of a search; `left` jobs have still to run in this iteration."""

    state: Queued[Loop]
    left: int


@cache
def schedules(world: World) -> tuple[Schedule, ...]:
    """Return a shortest schedule to each step, each once, in rounds of the kinds of steps."""
    model = task_fifo_model(*world[:3], most=2)
    first: dict[SearchStep, Schedule] = {}
    kinds: dict[SearchStep, Hashable] = {}
    numbers: dict[Loop, int] = {}
    path: dict[Point, Schedule] = {}
    for init in model.init:
        path[Point(init, 0)] = ()
    todo = deque(path)
    while todo and len(first) < world.steps:
        here = todo.popleft()
        for move, event, there in _steps(model.k.loop, model.successors(here.state), here):
            schedule = path[here] if move is None else (*path[here], move)
            if event is not None:
                before, after = (numbers.setdefault(s.below, len(numbers)) for s in (here.state, there.state))
                step = SearchStep(before, event, after)
                if step not in first:
                    first[step] = schedule
                    kinds[step] = event.name, _situation(here.state), _situation(there.state)
            if there not in path:
                path[there] = schedule
                if move is None:
                    todo.appendleft(there)  # without a move, it is as near as `here`
                else:
                    todo.append(there)
    return tuple(dict.fromkeys(first[step] for step in in_rounds(first, kinds.__getitem__)))


def _steps(
    idle: object, successors: Iterator[tuple[Event, Queued[Loop]]], here: Point
) -> Iterator[tuple[Event | None, Event | None, Point]]:
    """Yield the moves and events that are possible at a point, and the points that they lead to."""
    turn = here.state.below.turn
    if turn == idle and here.left == 0 and here.state.queue:
        yield TURN, None, Point(here.state, len(here.state.queue))
    for event, after in successors:
        if event.name in TURNS:
            if here.left > 0:
                yield None, event, Point(after, here.left - 1)
        elif turn != idle or here.left == 0:
            yield event, event, Point(after, here.left)


def _situation(s: Queued[Loop]) -> Hashable:
    """Return the premises of the next step, without names: the events due to each job, and how many are ready."""
    now = s.below
    jobs = sorted((now.state[x], now.on[x] != x, x in now.must, x in now.fresh, x in now.owed) for x in now.on)
    return tuple(jobs), len(s.queue)


def directed() -> Iterator[TaskSchedule]:
    """All directed runs, the worlds by turns."""
    left = {world: list(reversed(schedules(world))) for world in WORLDS}
    while any(left.values()):
        for world, runs in left.items():
            if runs:
                yield TaskSchedule(world, runs.pop())


def probe(world: World) -> Schedule:
    """Every future gets a result: so every task that still waits shows its future, and its place in the line."""
    futures = range(world.tasks, world.tasks + world.futures)
    return tuple(Event("resolve", (f, Is.RESULT)) for f in futures)


class JudgedTasks:
    """Tasks of `subject`, run along schedules and held to the specification."""

    def __init__(self, subject: Subject) -> None:
        self.make = task_adapter(subject)

    def run(self, run: TaskSchedule) -> None:
        """Raises as Driver.run."""
        Driver(self.make, monitor(run.world)).run(run.schedule, probe(run.world))


@cache
def monitor(world: World) -> Monitor[Const, Queued[Loop]]:
    """The monitor of all tasks of that world; their runs share its knowledge of states."""
    return Monitor(task_fifo_model(*world[:3], most=MOST))
