"""Wrong actions of a queue that is shut down; `mutants.py` makes mutants of them."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.core import replace
from . import specification as right
from .specification import At, Const, Item, Queue, Sig, Task


def get_nowait_never_again(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-24: Wrong: after a shutdown a get raises, although there are items."""
    if s.at[t] == At.IDLE and s.shut:
        yield s
    else:
        yield from right.get_nowait(k, s, t)


def get_resume_discarding(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: Wrong: a getter that waited discards the items after a shutdown, and raises."""
    if s.shut and s.at[t] == At.GET and s.sig[t] == Sig.WOKEN:
        yield replace(right.idle(s, t), buf=())
    else:
        yield from right.get_resume(k, s, t)


def join_resume_after_a_shutdown(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-16: Wrong: a join returns after a shutdown, when the queue is empty, although items are not reported."""
    if s.shut and s.buf == () and s.at[t] == At.JOIN and s.sig[t] == Sig.WAIT:
        yield right.idle(s, t)
    else:
        yield from right.join_resume(k, s, t)


def put_resume_anyway(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-13: Wrong: a putter that waited adds its item after a shutdown, where there is room."""
    if s.shut and s.at[t] == At.PUT and s.sig[t] == Sig.WOKEN and not right.full(k, s):
        yield from right.add(k, s, t, s.carry[t])
    else:
        yield from right.put_resume(k, s, t)


def put_reopening(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: a put that raises ends the shutdown."""
    for q in right.put(k, s, t, x):
        yield replace(q, shut=False)


def shutdown_leaving_items(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: an immediate shutdown discards nothing."""
    yield from right.shutdown(k, s, t, False)


def shutdown_of_items(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: every shutdown discards the items."""
    yield from right.shutdown(k, s, t, True)


def shutdown_for_now(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: the queue stays open."""
    for q in right.shutdown(k, s, t, immediate):
        yield replace(q, shut=s.shut)


def shutdown_inside(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: a task that waits shuts the queue down, and leaves."""
    yield from right.shutdown(k, right.idle(s, t), t, immediate)


def shutdown_of_putters(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: getters that wait are not woken."""
    for q in right.shutdown(k, s, t, immediate):
        yield replace(q, sig=q.sig | {w: s.sig[w] for w in k.tasks if s.at[w] == At.GET})


def shutdown_of_getters(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: putters that wait are not woken."""
    for q in right.shutdown(k, s, t, immediate):
        yield replace(q, sig=q.sig | {w: s.sig[w] for w in k.tasks if s.at[w] == At.PUT})


def shutdown_releasing_nobody(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: an immediate shutdown releases no join."""
    for q in right.shutdown(k, s, t, immediate):
        yield replace(q, sig=q.sig | {w: s.sig[w] for w in k.tasks if s.at[w] == At.JOIN})


def get_resume_never_again(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: Wrong: after a shutdown a woken getter raises, although there are items."""
    if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN and s.shut:
        yield right.idle(s, t)
    else:
        yield from right.get_resume(k, s, t)
