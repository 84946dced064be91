"""The schedules of tasks: shortest moves to every step of a small loop, its ready queue first in, first out.

Theory of operation.  A loop runs in turns, and calls from outside come between them.  So the search runs over the
states of the fifo grade together with how many jobs have still to run in this turn:

    between turns    a call from outside, or TURN: as many jobs as are ready now will run
    within a turn    the first in the queue gets its turn: that is the loop's affair, and no move
    of a task        a call, or what it does with its turn

The search is breadth-first over moves; the same schedules come in the same order, always.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from functools import cache
from typing import Final, NamedTuple

from spec.kit.core import Event
from spec.kit.fifo import Queued
from spec.task import Loop, task_fifo_model

from .directed import TURN, Schedule, Step, in_rounds

#: Actions by which a job gets its turn.
TURNS: Final = frozenset({"step", "stillborn", "relay"})


class World(NamedTuple):
    """So many tasks and plain futures, and shields of those that are named; `steps` are enough."""

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


class Run(NamedTuple):
    """What is run: a schedule of that world."""

    world: World
    schedule: Schedule


class Point(NamedTuple):
    """Where a schedule has led to; `left`: so many jobs have still to run in this turn."""

    state: Queued[Loop]
    left: int


@cache
def schedules(world: World) -> tuple[Schedule, ...]:
    """A shortest schedule to each step, in rounds of their kinds; each schedule once."""
    model = task_fifo_model(*world[:3], most=2)
    first: dict[Step, Schedule] = {}
    kinds: dict[Step, Hashable] = {}
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
                step = Step(before, event, after)
                if step not in first:
                    first[step] = schedule
                    kinds[step] = event.name, _situation(here.state), _situation(there.state)
            if there not in path:
                path[there] = schedule
                if move is None:
                    todo.appendleft(there)  # no move: as near as where it came from
                else:
                    todo.append(there)
    return tuple(dict.fromkeys(first[step] for step in in_rounds(first, kinds.__getitem__)))


def _steps(
    nobody: object, successors: Iterator[tuple[Event, Queued[Loop]]], here: Point
) -> Iterator[tuple[Event | None, Event | None, Point]]:
    """What may happen at a point: the move, the event, and where they lead to."""
    turn = here.state.below.turn
    if turn == nobody and here.left == 0 and here.state.queue:
        yield TURN, None, Point(here.state, len(here.state.queue))
    for event, after in successors:
        if event.name in TURNS:
            if here.left > 0:
                yield None, event, Point(after, here.left - 1)
        elif turn != nobody or here.left == 0:
            yield event, event, Point(after, here.left)


def _situation(s: Queued[Loop]) -> Hashable:
    """What a loop does depends on, but for names: who has what to expect, and how many are ready."""
    now = s.below
    jobs = sorted(
        (now.state[x], now.on[x] != x, x in now.must, x in now.fresh, x in now.owed) for x in now.on
    )
    return tuple(jobs), len(s.queue)
