"""Queues with one known error each: the check must find it, at a known depth.

Theory of operation.  A specification that nothing can break says nothing.  Each derives from a text without one or
two actions and puts a wrong one in their place, often the right one with its result spoilt.  The errors are ones that
real queues had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import queue as queues
from ..kit.core import Spec
from ..queue import At, Item, Queue, Sig, Task

late_getter = Spec("queue: a cancelled getter keeps its wake-up", Queue, queues.queue, without=("unwind",))


@late_getter.action(fair=True, hidden=True)
def unwind_silently(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: whoever is cancelled just leaves."""
    if s.sig[t] == Sig.CANCELLED or s.sig[t] == Sig.LATE:
        yield queues.idle(s, t)


deaf_putter = Spec("queue: a get wakes no putter", Queue, queues.queue, without=("get", "get_resume"))


def unheard(k: queues.Const, s: Queue, q: Queue, t: Task) -> Queue:
    """`q`, but whoever else waited in `s` waits still."""
    return replace(q, sig=q.sig | {p: s.sig[p] for p in k.tasks if p != t}, line=s.line)


@deaf_putter.action()
def get_silently(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-11: Wrong: a get that takes an item wakes nobody."""
    for q in queues.get(k, s, t):
        yield q if q.got == s.got else unheard(k, s, q, t)


@deaf_putter.action(fair=True, hidden=True)
def get_resume_silently(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: Wrong: a woken getter that takes an item wakes nobody."""
    for q in queues.get_resume(k, s, t):
        yield q if q.got == s.got else unheard(k, s, q, t)


early_join = Spec("queue: join is released when the buffer empties", Queue, queues.queue, without=("get",))


@early_join.action()
def get_and_release(k: queues.Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-11: Wrong: the get that empties the buffer releases every join."""
    for q in queues.get(k, s, t):
        if q.buf == () and len(s.buf) > 0:
            yield replace(q, sig=q.sig | {j: Sig.WOKEN for j in k.tasks if queues.waits(q, j, At.JOIN)})
        else:
            yield q


pushy_put = Spec("queue: a put does not look for room", Queue, queues.queue, without=("put",))


@pushy_put.action()
def put_anyway(k: queues.Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: a put adds its item to a full buffer."""
    if s.at[t] == At.IDLE and len(s.sent) < k.puts:
        yield from queues.add(k, s, t, (x,))
