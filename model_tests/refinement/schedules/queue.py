"""The schedules of the queue: to every step of small queues that a loop can take, and to the nearest of larger ones.

Theory of operation.  What a queue does depends on where its tasks are, what they have been told, and on whether there
is an item or room; steps that agree in this are of one kind.  Schedules come in rounds, of each kind one, so that a few
hundred visit every kind; and of steps that differ by a renaming of tasks only the first is kept.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from itertools import chain, zip_longest
from typing import Final, NamedTuple

from spec.kit.core import Event
from spec.kit.trace import Line
from spec.queue import Const, Queue, queue_model

from ..machines.queue import PUTS, queue_adapter
from ..subjects import Subject
from .directed import TURN, Schedule, Search, Step, in_rounds
from .drive import Driver

#: The methods of a queue that may wait.
WAITS: Final = frozenset({"get", "put", "join"})


class Size(NamedTuple):
    """A queue with so many tasks and that capacity, which put so many items of so many kinds.

    `most`: how many steps are enough; None: all that a loop can take.
    """

    tasks: int
    maxsize: int
    puts: int
    items: int
    most: int | None = None


class Run(NamedTuple):
    """What is run: a schedule, of those found for a size."""

    size: Size
    schedule: Schedule


SIZES: Final = (
    Size(3, 1, 2, 1),
    Size(3, 2, 4, 1, most=12_000),
    Size(2, 2, 3, 2, most=4_500),
    Size(2, 0, 2, 2),
)


@cache
def search(size: Size) -> Search[Const, Queue]:
    """The search for a queue of that size; the most expensive part of a test, and shared by all."""
    return Search(queue_model(size.tasks, size.maxsize, size.puts, items=size.items), WAITS, size.most)


def steps(size: Size) -> list[Step]:
    """The steps that schedules take, one of each class under renaming, in rounds of their kinds."""
    found = search(size)
    model = queue_model(size.tasks, size.maxsize, size.puts, items=size.items, symmetric=True)
    assert model.canon is not None
    classes = [model.canon(s) for s in found.states]
    distinct: dict[Hashable, Step] = {}
    for step in found.found:
        distinct.setdefault((classes[step.before], step.event.name, classes[step.after]), step)

    def kind(step: Step) -> Hashable:
        return step.event.name, *(situation(classes[n]) for n in (step.before, step.after))

    return in_rounds(distinct.values(), kind)


def situation(s: Queue) -> Hashable:
    """Where the tasks are and what they have been told, and whether there is an item."""
    return tuple(s.at.items()), tuple(s.sig.items()), s.buf == ()


def probe(tasks: int) -> Schedule:
    """Moves that tell states apart by what is answered: put, join, get and report, each by every task that is free."""
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
def directed() -> tuple[Run, ...]:
    """All directed runs, each once: one schedule may take several steps.  The sizes by turns."""
    by_size = [
        dict.fromkeys(Run(size, search(size).schedule(step)) for step in steps(size)) for size in SIZES
    ]
    return tuple(run for run in chain.from_iterable(zip_longest(*by_size)) if run is not None)


class Judged:
    """Queues of `subject`, run along schedules and held to the specification."""

    def __init__(self, subject: Subject) -> None:
        make = queue_adapter(subject)
        self.drivers = {
            size: Driver(make, queue_model(size.tasks, size.maxsize, PUTS, items=size.items), WAITS)
            for size in SIZES
        }

    def run(self, run: Run) -> list[Line]:
        """What was recorded until the schedule ended.  Raises as Driver.run."""
        return self.drivers[run.size].run(run.schedule, probe(run.size.tasks))
