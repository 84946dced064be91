"""The references of queues, locks, events, tasks, futures and streams: `impl`, and how its runs are recorded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from impl import Choices
from spec.future import future
from spec.kit.core import Spec
from spec.kit.fifo import Fifo
from spec.locks import locks
from spec.locks.events import events
from spec.queue import queue
from spec.stream import stream
from spec.task.loop import loop

from .implementations import STEPS, AnyModel, Implementation, led, plain
from .machines.adapter import Make
from .machines.directed import ScheduleSearch
from .machines.futures import future_adapter
from .machines.locks import event_adapter, lock_adapter
from .machines.queue import PUTS, queue_adapter
from .machines.race_states import RaceStates
from .machines.stream import TOTAL, stream_adapter
from .machines.tasks import MOST, task_adapter
from .schedules.drive import Driver
from .schedules.locks import PLAIN
from .schedules.queue import WAITS
from .schedules.stream import schedules
from .schedules.tasks import World
from .schedules.tasks import schedules as task_schedules
from .subjects import IMPL

# Any in this file: constants and states of any text.

#: A stream is driven with up to so many turns between two things.
GAP: Final = 2

# The queue.


def any_puts(model: AnyModel) -> AnyModel:
    return replace(model, k=replace(model.k, puts=PUTS), canon=None)


def queue_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps of the queue's own text, in the size of the model."""
    search = ScheduleSearch(replace(model, spec=queue), WAITS, STEPS)
    driver = Driver(make, model)
    for schedule in dict.fromkeys(map(search.schedule, search.found)):
        yield len(driver.run(schedule))


# Locks, semaphores, conditions and events.


def lock_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps of the text that all of them take."""
    yield from led(replace(model, spec=PLAIN), model, make)


def event_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps of the text's own."""
    yield from led(replace(model, spec=events), model, make)


# Futures and tasks.


def any_number(model: AnyModel) -> AnyModel:
    """Any number of requests to cancel a task, or of callbacks of a future."""
    if isinstance(model, Fifo):
        return Fifo(any_number(model.base), model.jobs)
    return replace(model, k=replace(model.k, most=MOST), canon=None)


def task_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps of a loop of the same size, first in, first out."""
    k = model.k
    futures = len(k.all) - len(k.tasks) - len(k.shields)
    world = World(len(k.tasks), futures, tuple(k.inner[x] for x in sorted(k.shields)), STEPS)
    driver = Driver(make, model)
    for schedule in task_schedules(world):
        yield len(driver.run(schedule))


def future_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest paths to the steps that make a callback due."""
    driver = Driver(make, model)
    for races in RaceStates(model).found.values():
        for race in races:
            yield len(driver.run(race.path))


# The stream.


def any_bytes(model: AnyModel) -> AnyModel:
    return replace(model, k=replace(model.k, total=TOTAL), canon=None)


def stream_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Schedules that make two things meet, as far as the model has the tasks and the bytes for them."""
    driver = Driver(make, model)
    for schedule in schedules(GAP):
        yield len(driver.run(schedule))


REFERENCES: Final[list[tuple[Spec[Any, Any], Implementation]]] = [
    (queue, Implementation(queue_adapter(IMPL), any_puts, queue_runs)),
    (locks, Implementation(lock_adapter(IMPL), plain, lock_runs)),
    (events, Implementation(event_adapter(IMPL), plain, event_runs)),
    (loop, Implementation(task_adapter(IMPL), any_number, task_runs)),
    (future, Implementation(future_adapter(IMPL), any_number, future_runs)),
    (stream, Implementation(stream_adapter(lambda: Choices.seeded(1)), any_bytes, stream_runs)),
]
