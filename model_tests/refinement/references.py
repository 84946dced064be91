"""The references of queues, locks, events, tasks, futures and streams: `impl`, and how its runs are recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
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
from .machines.futures import future_adapter
from .machines.locks import event_adapter, lock_adapter
from .machines.queue import PUTS, queue_adapter
from .machines.race_states import RaceStates
from .machines.shortest_paths import Schedule, ScheduleSearch
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


def unbound(model: AnyModel, **most: int) -> AnyModel:
    """A model without a symmetry, and with other bounds: of puts, requests to a task, callbacks or bytes."""
    if isinstance(model, Fifo):
        return Fifo(unbound(model.base, **most), model.jobs)
    return replace(model, k=replace(model.k, **most), canon=None)


def played(driver: Driver, along: Iterable[Schedule]) -> Iterator[int]:
    """Run an object along schedules; the number of lines of each run."""
    return (len(driver.run(schedule)) for schedule in along)


def queue_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps of the queue's own text, in the size of the model."""
    search = ScheduleSearch(replace(model, spec=queue), WAITS, STEPS)
    return played(Driver(make, model), dict.fromkeys(map(search.schedule, search.found)))


def runs_of(spec: Spec[Any, Any]) -> Callable[[AnyModel, Make], Iterator[int]]:
    """Shortest schedules to the nearest steps of that text: the steps that all primitives take, or an event's own."""
    return lambda model, make: led(replace(model, spec=spec), model, make)


def task_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps of a loop of the same size, first in, first out."""
    k = model.k
    futures = len(k.all) - len(k.tasks) - len(k.shields)
    world = World(len(k.tasks), futures, tuple(k.inner[x] for x in sorted(k.shields)), STEPS)
    return played(Driver(make, model), task_schedules(world))


def future_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest paths to the steps that make a callback due."""
    races = chain.from_iterable(RaceStates(model).found.values())
    return played(Driver(make, model), (race.path for race in races))


def stream_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Schedules that make two things meet, as far as the model has the tasks and the bytes for them."""
    return played(Driver(make, model), schedules(GAP))


REFERENCES: Final[list[tuple[Spec[Any, Any], Implementation]]] = [
    (queue, Implementation(queue_adapter(IMPL), partial(unbound, puts=PUTS), queue_runs)),
    (locks, Implementation(lock_adapter(IMPL), plain, runs_of(PLAIN))),
    (events, Implementation(event_adapter(IMPL), plain, runs_of(events))),
    (loop, Implementation(task_adapter(IMPL), partial(unbound, most=MOST), task_runs)),
    (future, Implementation(future_adapter(IMPL), partial(unbound, most=MOST), future_runs)),
    (
        stream,
        Implementation(stream_adapter(lambda: Choices.seeded(1)), partial(unbound, total=TOTAL), stream_runs),
    ),
]
