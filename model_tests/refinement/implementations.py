"""The implementation of each shipped specification, and how its runs are recorded.

A specification has an `Implementation` here if there is code for it; a derived one has that of its base, and any other
is implemented by the user's code alone.  Models are judged without the bounds that only keep a search finite, because
real objects have none.  Recorded runs are steered to the interesting states as far as possible; the machines
(`check_implementation.py`) draw theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from impl import Choices
from impl.crawl.frontier import Frontier
from spec.crawl import Const, Crawl, crawl
from spec.future import future
from spec.kit.core import Spec, SpecError
from spec.kit.fifo import Fifo
from spec.kit.model import Model
from spec.locks import locks
from spec.locks.events import events
from spec.queue import queue
from spec.stream import stream
from spec.task.loop import loop

from ..crawls.compare import IMPL as IMPL_RUNTIME
from ..crawls.comparison import plan
from ..crawls.recorded import Recorder, SiteModel, judge, recording
from .machines.adapter import Make
from .machines.crawl import frontier_adapter, site_of
from .machines.futures import future_adapter
from .machines.generated import ignored
from .machines.locks import event_adapter, lock_adapter
from .machines.queue import PUTS, queue_adapter
from .machines.race_states import RaceStates
from .machines.stream import TOTAL, stream_adapter
from .machines.tasks import MOST, task_adapter
from .schedules.directed import Search
from .schedules.drive import Driver
from .schedules.locks import PLAIN
from .schedules.locks import WAITS as LOCK_WAITS
from .schedules.queue import WAITS
from .schedules.stream import schedules
from .schedules.task_schedules import World
from .schedules.task_schedules import schedules as task_schedules
from .subjects import IMPL

# Any in this file: constants and states of any text.
AnyModel = Model[Any, Any]

#: A queue is led to so many steps of its text.
STEPS: Final = 1_000
#: A stream is driven with up to so many turns between two things.
GAP: Final = 2
#: The conditions of crawls, see `crawls/comparison.py`: those that have all hosts in scope, in both orders of tasks.
CONDITIONS: Final = range(0, 24, 2)


@dataclass(frozen=True)
class Implementation:
    """How instances of one text are held against what implements it.

    `make`: makes what machines drive.  `unbound`: a model without bounds that only keep a search finite.  `runs`: has
    such a model judge recorded runs of what `make` makes, and gives for each how many lines it had.
    """

    make: Make
    unbound: Callable[[AnyModel], AnyModel]
    runs: Callable[[AnyModel, Make], Iterator[int]]


def implementation_of(spec: Spec[Any, Any], make: Make | None = None) -> Implementation:
    """The reference of the text that `spec` derives from, or is; without one, what `make` makes.

    Raises SpecError if nothing implements it.
    """
    known = {id(text): reference for text, reference in IMPLEMENTATIONS}
    base: Spec[Any, Any] | None = spec
    while base is not None and id(base) not in known:
        base = base.extends
    if base is None and make is not None:
        return Implementation(make, plain, own_runs)
    if base is None:
        names = ", ".join(text.name for text, _ in IMPLEMENTATIONS)
        raise SpecError(
            f"{spec.name}: nothing here implements it; it may derive from {names}; or pass code of yours as make="
        )
    return known[id(base)]


# A specification of one's own.


def plain(model: AnyModel) -> AnyModel:
    return replace(model, canon=None)


def own_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps; an adapter that does not say which calls wait is asked by tasks only."""
    with closing(make(model.k, ignored)) as adapter:
        waits = getattr(adapter, "waits", lambda name: name not in ("cancel", "uncancel"))
        called = [a.name for a in model.spec.actions.values() if a.params and not a.hidden and waits(a.name)]
    yield from led(model, model, make, called)


# The queue.


def any_puts(model: AnyModel) -> AnyModel:
    return replace(model, k=replace(model.k, puts=PUTS), canon=None)


def queue_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Shortest schedules to the nearest steps of the queue's own text, in the size of the model."""
    search = Search(replace(model, spec=queue), WAITS, STEPS)
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


def led(own: AnyModel, model: AnyModel, make: Make, waits: Collection[str] = LOCK_WAITS) -> Iterator[int]:
    search = Search(own, waits, STEPS)
    driver = Driver(make, model, waits)
    for schedule in dict.fromkeys(map(search.schedule, search.found)):
        yield len(driver.run(schedule))


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
    """Shortest paths to the steps by which a callback becomes due."""
    driver = Driver(make, model)
    for races in RaceStates(model).found.values():
        for race in races:
            yield len(driver.run(race.path))


# The stream.


def any_bytes(model: AnyModel) -> AnyModel:
    return replace(model, k=replace(model.k, total=TOTAL), canon=None)


def stream_runs(model: AnyModel, make: Make) -> Iterator[int]:
    """Schedules in which two things meet, as far as the model has the tasks and the bytes for them."""
    driver = Driver(make, model)
    for schedule in schedules(GAP):
        yield len(driver.run(schedule))


# The crawl.


def crawl_runs(model: Model[Const, Crawl], _: Make) -> Iterator[int]:
    """Crawls of the model's own site, served and fetched over the simulated network."""
    site, numbers = site_of(model.k)
    for number in CONDITIONS:
        recorder = Recorder(Frontier(site.limit), SiteModel(model, numbers), IMPL_RUNTIME.name)
        by = replace(plan(site, number), max_tasks=len(model.k.workers))
        came = recording(recorder, partial(IMPL_RUNTIME.crawl, site, by, recorder, number))
        judge(came)
        yield len(came.lines)


IMPLEMENTATIONS: Final[list[tuple[Spec[Any, Any], Implementation]]] = [
    (queue, Implementation(queue_adapter(IMPL), any_puts, queue_runs)),
    (crawl, Implementation(frontier_adapter(), plain, crawl_runs)),
    (locks, Implementation(lock_adapter(IMPL), plain, lock_runs)),
    (events, Implementation(event_adapter(IMPL), plain, event_runs)),
    (loop, Implementation(task_adapter(IMPL), any_number, task_runs)),
    (future, Implementation(future_adapter(IMPL), any_number, future_runs)),
    (stream, Implementation(stream_adapter(lambda: Choices.seeded(1)), any_bytes, stream_runs)),
]
