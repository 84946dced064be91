"""Directed runs of tasks, futures and shields, each held to the specification of tasks, first in, first out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from spec.kit.core import Event
from spec.kit.fifo import Queued
from spec.kit.monitor import Monitor
from spec.task import Const, Is, Loop, task_fifo_model

from ..machines.directed import Schedule
from ..machines.tasks import MOST, task_adapter
from ..subjects import Subject
from .drive import Driver
from .task_schedules import WORLDS, TaskSchedule, World, schedules


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
