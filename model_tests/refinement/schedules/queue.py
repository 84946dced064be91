"""Directed schedules of the queue: to every step of small queues, and to the nearest steps of larger ones.

A queue's next step depends on where each task waits, on its signal, and on whether the queue has an item; steps
that agree in this are of one kind.  Schedules come in rounds, one of each kind a round, so that a few hundred have
all kinds.  Steps that differ only in the names of tasks count as one.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from spec.kit.core import Event, Spec
from spec.kit.model import Model
from spec.kit.monitor import Monitor
from spec.kit.trace import Line
from spec.queue import Const, Order, Queue, queue, queue_model

from ..machines.queue import PUTS, queue_adapter
from ..machines.shortest_paths import TURN, Schedule, ScheduleSearch, SearchStep, in_rounds, up_to_renaming
from ..subjects import Subject
from .drive import Driver

#: The methods of a queue that may wait.
WAITS: Final = frozenset({"get", "put", "join"})


class Size(NamedTuple):
    """A queue with that capacity, and tasks that put so many items of so many kinds.

    `most` ends the search after so many steps; if it is None, the search finds all that a loop can take.  `calls` are
    the methods that the tasks call; if it is None, all of them.  `order`: which item leaves next; `shuts`: whether the
    queue may be shut down.
    """

    tasks: int
    maxsize: int
    puts: int
    items: int
    most: int | None = None
    calls: frozenset[str] | None = None
    order: Order = Order.FIFO
    shuts: bool = False

    def model(self, *, symmetric: bool = False, withdraws: bool = False) -> Model[Const, Queue]:
        """Return the bounded model of this size; `withdraws`: requests to cancel may be taken back."""
        spec = queue
        if self.calls is not None:
            without = [
                action.name
                for action in queue.actions.values()
                if not action.hidden and action.name not in {*self.calls, "cancel"}
            ]
            spec = Spec("queue", Queue, extends=queue, without=without)
        return queue_model(
            self.tasks,
            self.maxsize,
            self.puts,
            items=self.items,
            spec=spec,
            symmetric=symmetric,
            withdraws=withdraws,
            order=self.order,
            shuts=self.shuts,
        )


class QueueSchedule(NamedTuple):
    """A schedule, and the size of queue that it is for."""

    size: Size
    schedule: Schedule


SIZES: Final = (
    Size(3, 1, 2, 1),
    Size(3, 2, 4, 1, most=12_000),
    Size(2, 2, 3, 2, most=4_500),
    Size(2, 0, 2, 2),
)
#: Three tasks wait in one place, and a fourth makes the other calls.
CROWDED: Final = (
    Size(4, 0, 2, 1, calls=frozenset({"get", "put_nowait"})),
    Size(4, 1, 4, 1, calls=frozenset({"put", "put_nowait", "get_nowait"})),
    Size(4, 0, 2, 1, calls=frozenset({"join", "put_nowait", "get_nowait", "task_done"})),
)
#: Queues that are shut down, and those of another order.
SHUT: Final = (Size(3, 1, 2, 1, most=6_000, shuts=True), Size(2, 2, 2, 2, most=3_000, shuts=True))
LIFO: Final = (Size(2, 2, 3, 2, most=3_000, order=Order.LIFO),)
LEAST: Final = (Size(2, 2, 3, 2, most=3_000, order=Order.LEAST),)


@cache
def search(size: Size) -> ScheduleSearch[Const, Queue]:
    """Return the search for a queue of that size; it is the expensive part of a test, so all tests share it."""
    return ScheduleSearch(size.model(), WAITS, size.most)


def withdrawals(size: Size) -> list[Schedule]:
    """Return a shortest schedule to each state, followed by a request that is taken back, and an iteration."""
    return search(size).withdrawals(size.model(withdraws=True))


@cache
def steps(size: Size) -> list[SearchStep]:
    """Return the steps that schedules take, one of each class under renaming, in rounds of their kinds."""
    distinct = up_to_renaming(search(size), size.model(symmetric=True).canon)

    def kind(step: SearchStep) -> Hashable:
        return step.event.name, *map(situation, distinct[step])

    return in_rounds(distinct, kind)


def situation(s: Queue) -> Hashable:
    """Return where each task waits and its signal, and whether the queue has an item."""
    return tuple(s.at.items()), tuple(s.sig.items()), s.buf == ()


def probe(tasks: int) -> Schedule:
    """Return moves with answers that depend on the state: put, join, get and task_done, each by every task that is
    idle."""
    names = range(tasks)
    return (
        *(Event("put_nowait", (t, 0)) for t in names),
        TURN,
        *(Event("join", (t,)) for t in names),
        TURN,
        *(Event("get_nowait", (t,)) for t in names),
        TURN,
        *(Event("task_done", (t,)) for t in names),
    )


@cache
def directed(sizes: tuple[Size, ...] = SIZES) -> tuple[QueueSchedule, ...]:
    """Return all directed runs, each once, as one schedule may take several steps; the sizes take turns."""
    by_size = [
        dict.fromkeys(QueueSchedule(size, search(size).schedule(step)) for step in steps(size)) for size in sizes
    ]
    return tuple(run for run in chain.from_iterable(zip_longest(*by_size)) if run is not None)


class JudgedQueues:
    """Queues of `subject`, run along schedules, and judged by the monitor of the specification."""

    def __init__(self, subject: Subject) -> None:
        self.subject, self.make = subject, queue_adapter(subject)

    def run(self, run: QueueSchedule) -> list[Line]:
        """Run a schedule; return the trace up to its end.  Raises as Driver.run."""
        driver = Driver(self.make, monitor(run.size, self.subject.withdraws), WAITS)
        return driver.run(run.schedule, probe(run.size.tasks))


@cache
def monitor(size: Size, withdraws: bool) -> Monitor[Const, Queue]:
    """Return the monitor of all queues of that size; their runs share its knowledge of states."""
    order, shuts = size.order, size.shuts
    return Monitor(
        queue_model(size.tasks, size.maxsize, PUTS, items=size.items, withdraws=withdraws, order=order, shuts=shuts)
    )
