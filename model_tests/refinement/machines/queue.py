"""The adapter of queues, and the machine that checks them against `spec.queue`.

A queue is an object whose callers are tasks (`objects.py`); besides the answers of its calls it shows its size.  The
models are larger than those of the exhaustive check: four tasks, eight kinds of item, so that mixed-up items show, and
more puts than an example makes.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

from spec.queue import Const, Queue, Said, queue_model
from spec.queue.specification import full

from ..subjects import IMPL, QueueLike, Subject
from .adapter import Adapter, Make, Record
from .generated import SpecMachine, machine
from .objects import ObjectAdapter

#: More than an example has steps.
PUTS = 1_000


class QueueAdapter(ObjectAdapter):
    """One queue of `subject`, with the capacity of `k`."""

    def __init__(self, subject: Subject, k: Const, record: Record) -> None:
        self.k = k
        self.queue: QueueLike = subject.new_queue(k.maxsize)
        refusals = (subject.queue_empty, subject.queue_full, ValueError)

        def said(outcome: object) -> Hashable:
            if isinstance(outcome, subject.cancelled_error):
                return Said.CANCELLED
            if isinstance(outcome, BaseException):
                return Said.REFUSED if isinstance(outcome, refusals) else repr(outcome)
            return Said.DONE if outcome is None else outcome

        super().__init__(subject, self.queue, record, said)

    def see(self, s: Queue) -> bool:
        seen = (self.queue.qsize(), self.queue.empty(), self.queue.full())
        return seen == (len(s.buf), not s.buf, full(self.k, s))


def queue_adapter(subject: Subject) -> Make:
    """Makes adapters of the queues of `subject`."""

    def make(k: Const, record: Record) -> Adapter:
        return QueueAdapter(subject, k, record)

    return make


@cache
def rules(withdraws: bool) -> type[SpecMachine]:
    """The machine of all queues: what is learned of the models, all share."""
    models = [
        queue_model(4, maxsize, PUTS, items=8, symmetric=True, withdraws=withdraws) for maxsize in (0, 1, 2)
    ]
    return machine(models, queue_adapter(IMPL))


def queue_machine(subject: Subject) -> type[SpecMachine]:
    """The machine that holds the queues of `subject` to the specification."""
    own = rules(subject.withdraws)
    return type(f"QueueMachine_{subject.name}", (own,), {"make": staticmethod(queue_adapter(subject))})
