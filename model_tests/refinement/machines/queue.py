"""The adapter of queues, and the machine that checks them against `spec.queue`.

Tasks call the methods of a queue (`objects.py`); besides the answers of its calls it shows its size.  The
models are larger than those of the exhaustive check: four tasks, eight kinds of item, so that mixed-up items show, and
more puts than an example makes.  Each `QueueForm` has a machine of its own: plain queues are not
shut down there, since not much happens afterwards.
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum
from functools import cache, partial

from spec.queue import Const, Order, Queue, Said, queue_model
from spec.queue.specification import full

from ..subjects import IMPL, QueueLike, Subject
from .adapter import Make, Record
from .generator import SpecMachine, machine
from .objects import ObjectAdapter
from .outcomes import no_word, raised

#: More than an example has steps.
PUTS = 1_000


class QueueAdapter(ObjectAdapter):
    """One queue of `subject`, with the capacity and the order of `k`."""

    def __init__(self, subject: Subject, k: Const, record: Record) -> None:
        self.k = k
        new = {
            Order.FIFO: subject.new_queue,
            Order.LIFO: subject.new_lifo_queue,
            Order.LEAST: subject.new_priority_queue,
        }
        self.queue: QueueLike = new[k.order](k.maxsize)
        refusals = (subject.queue_empty, subject.queue_full, ValueError)

        def said(outcome: object) -> Hashable:
            if raised(outcome, subject.cancelled_error):
                return Said.CANCELLED
            if subject.queue_shut is not None and raised(outcome, subject.queue_shut):
                return Said.SHUT
            return Said.REFUSED if raised(outcome, *refusals) else no_word(outcome)

        super().__init__(subject, self.queue, record, said)

    def knows(self, name: str) -> bool:
        return super().knows(name) or (name == "shutdown" and not self.k.shuts)

    def see(self, s: Queue) -> bool:
        seen = (self.queue.qsize(), self.queue.empty(), self.queue.full())
        return seen == (len(s.buf), not s.buf, full(self.k, s))


def queue_adapter(subject: Subject) -> Make:
    """Makes adapters of the queues of `subject`."""
    return partial(QueueAdapter, subject)


class QueueForm(Enum):
    """A kind of queue, with the capacities of its models, the order, and whether it may be shut down."""

    PLAIN = (0, 1, 2), Order.FIFO, False
    SHUT = (1,), Order.FIFO, True
    LIFO = (2,), Order.LIFO, False
    LEAST = (2,), Order.LEAST, False


@cache
def rules(withdraws: bool, form: QueueForm) -> type[SpecMachine]:
    """The machine of all queues of that form, which share the explored parts of the models."""
    sizes, order, shuts = form.value
    new = partial(queue_model, 4, puts=PUTS, items=8, symmetric=True)
    models = [new(maxsize=size, withdraws=withdraws, order=order, shuts=shuts) for size in sizes]
    return machine(models, queue_adapter(IMPL))


def queue_machine(subject: Subject, form: QueueForm = QueueForm.PLAIN) -> type[SpecMachine]:
    """The machine that holds the queues of `subject` to the specification."""
    own = rules(subject.withdraws, form)
    name = f"QueueMachine_{form.name.lower()}_{subject.name}"
    return type(name, (own,), {"make": staticmethod(queue_adapter(subject))})
