"""Mutants of the queue: each has one error, which the check must find at a known depth.

A specification that nothing can break says nothing.  A mutant derives from the specification, with a wrong action in
the place of the right one, often the right one with a wrong result.  Most are errors that real queues had; a few
break only what the state of this specification means.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from . import closing
from . import specification as right
from .specification import At, Const, Item, Queue, Sig, Task, queue


def unwind_silently(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a cancelled task just leaves."""
    if s.sig[t] == Sig.CANCELLED or s.sig[t] == Sig.LATE:
        yield right.idle(s, t)


def unwind_keeping_the_signal(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a task that leaves is still signalled."""
    for q in right.unwind(k, s, t):
        yield replace(q, sig=q.sig | {t: s.sig[t]})


def unwind_bringing_the_item(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a putter that was woken, then cancelled, still adds its item."""
    if s.at[t] == At.PUT and s.sig[t] == Sig.LATE and not right.full(k, s):
        yield from right.add(k, s, t, s.carry[t])
    else:
        yield from right.unwind(k, s, t)


def unwind_keeping_the_item(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a putter that leaves still carries its item."""
    for q in right.unwind(k, s, t):
        yield replace(q, carry=s.carry)


def unwind_taking_an_item(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a getter that was cancelled before it was woken still takes an item."""
    if s.at[t] == At.GET and s.sig[t] == Sig.CANCELLED and len(s.buf) > 0:
        yield from right.take(k, s, t)
    else:
        yield from right.unwind(k, s, t)


def waking_none(k: Const, s: Queue, q: Queue, t: Task) -> Queue:
    """`q`, but every other task that waited in `s` still waits."""
    return replace(q, sig=q.sig | {p: s.sig[p] for p in k.tasks if p != t}, line=s.line)


def get_silently(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-11: Wrong: a get that takes an item wakes no putter."""
    for q in right.get(k, s, t):
        yield q if q.got == s.got else waking_none(k, s, q, t)


def get_nowait_silently(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-24: Wrong: a get that takes an item wakes no putter."""
    for q in right.get_nowait(k, s, t):
        yield q if q.got == s.got else waking_none(k, s, q, t)


def get_resume_silently(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: Wrong: a woken getter that takes an item wakes no putter."""
    for q in right.get_resume(k, s, t):
        yield q if q.got == s.got else waking_none(k, s, q, t)


def get_resume_with_nothing(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: Wrong: a woken getter leaves without an item, and hands its wake-up on."""
    if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN:
        yield from right.unwind(k, replace(s, sig=s.sig | {t: Sig.LATE}), t)


def get_resume_too_late(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: Wrong: a woken getter leaves without an item when another task was faster."""
    if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN and s.buf == ():
        yield right.idle(s, t)
    else:
        yield from right.get_resume(k, s, t)


def put_resume_with_the_item(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-13: Wrong: a woken putter leaves, and its item is not added."""
    if s.at[t] == At.PUT and s.sig[t] == Sig.WOKEN:
        yield right.idle(s, t)


def join_resume_too_early(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-16: Wrong: a join that was not released returns."""
    if s.at[t] == At.JOIN and (s.sig[t] == Sig.WAIT or s.sig[t] == Sig.WOKEN):
        yield right.idle(s, t)


def get_and_release(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-11: Wrong: the get that empties the buffer releases every join."""
    for q in right.get(k, s, t):
        if q.buf == () and len(s.buf) > 0:
            yield replace(q, sig=q.sig | {j: Sig.WOKEN for j in k.tasks if right.waits(q, j, At.JOIN)})
        else:
            yield q


def get_the_newest(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-11: Wrong: of two items a get takes the newest."""
    for q in right.get(k, s, t):
        if q.got == s.got or len(s.buf) == 1:
            yield q
        else:
            yield replace(q, buf=s.buf[:1] + s.buf[1:][1:], got=s.got + s.buf[1:][:1])


def put_behind(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: an item is put behind all others, whatever the order."""
    for q in right.put(k, s, t, x):
        yield q if q.sent == s.sent else replace(q, buf=s.buf + (x,))


def get_the_first(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-11: Wrong: a get takes the first item, whatever the order."""
    for q in right.get(k, s, t):
        yield q if q.got == s.got else replace(q, buf=s.buf[1:], got=s.got + s.buf[:1])


def put_over(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: an item takes the place of all others."""
    for q in right.put(k, s, t, x):
        yield q if q.sent == s.sent else replace(q, buf=(x,))


def put_the_same(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: the first item is added again, instead of the one that is put."""
    for q in right.put(k, s, t, x):
        yield q if q.sent == s.sent or s.buf == () else replace(q, buf=s.buf[:1] + s.buf)


def get_nowait_leaving_it(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-24: Wrong: the first item is returned, and the second is removed."""
    for q in right.get_nowait(k, s, t):
        yield replace(q, buf=s.buf[:1] + s.buf[1:][1:]) if len(s.buf) > 1 else q


def get_nowait_the_first(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-24: Wrong: a get_nowait takes the first item, whatever the order."""
    if s.at[t] == At.IDLE:
        if len(s.buf) > 0:
            for q in right.wake(k, s, At.PUT):
                yield right.taken(q, t, s.buf[:1], s.buf[1:])
        else:
            yield s


def put_anyway(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: a put does not check for room."""
    if right.may_put(k, s, t):
        yield from right.add(k, s, t, (x,))


def put_counting_twice(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: an item is counted twice."""
    for q in right.put(k, s, t, x):
        yield q if q.sent == s.sent else replace(q, unfinished=q.unfinished + 1)


def put_waking_anyone(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: any getter may be woken, not the oldest."""
    for q in right.put(k, s, t, x):
        for w in k.tasks:
            if right.waits(s, w, At.GET):
                yield replace(q, sig=s.sig | {w: Sig.WOKEN}, line=right.without(k, s, w))
        yield q


def join_even_so(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-15: Wrong: a join waits although nothing is unfinished."""
    for q in right.join(k, s, t):
        yield replace(q, at=q.at | {t: At.JOIN})


def join_of_the_last(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-15: Wrong: a join returns at once when a single item is unfinished."""
    for q in right.join(k, s, t):
        yield s if s.unfinished == 1 else q


def task_done_below_zero(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-14: Wrong: one report too many is counted."""
    for q in right.task_done(k, s, t):
        yield replace(q, unfinished=s.unfinished - 1, held=s.held | {t: s.held[t] - 1})


def cancel_standing_in_line(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-17: Wrong: a cancelled task keeps its place in the line."""
    for q in right.cancel(k, s, t):
        yield replace(q, line=s.line)


def uncancel_to_wait(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-33: Wrong: a task that was woken, cancelled and uncancelled waits again, for the next wake-up."""
    for q in right.uncancel(k, s, t):
        if s.sig[t] == Sig.LATE:
            yield replace(q, sig=q.sig | {t: Sig.WAIT}, line=right.behind(k, s, t, s.at[t]))
        else:
            yield q


def put_beyond(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: Wrong: a task puts more than the model allows."""
    if s.at[t] == At.IDLE and not right.full(k, s):
        yield from right.add(k, s, t, (x,))


def task_done_of_all(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-14: Wrong: a task reports all items that it holds at once."""
    for q in right.task_done(k, s, t):
        if q.held[t] > 0:
            yield from right.task_done(k, q, t)
        else:
            yield q


def task_done_inside(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-14: Wrong: a task that waits reports an item, and leaves."""
    yield from right.task_done(k, right.idle(s, t), t)


def task_done_of_two(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-14: Wrong: a task that holds one item cannot report it."""
    if s.held[t] != 1:
        yield from right.task_done(k, s, t)


def cancel_forgetting(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-17: Wrong: that a cancelled task was woken before is forgotten."""
    for q in right.cancel(k, s, t):
        yield replace(q, sig=q.sig | {t: Sig.CANCELLED})


def cancel_overstating(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-17: Wrong: every cancelled task passes for one that was woken before."""
    for q in right.cancel(k, s, t):
        yield replace(q, sig=q.sig | {t: Sig.LATE})


def unwind_to_the_next(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a getter that was woken, then cancelled, wakes the next one, although no item is left."""
    if s.at[t] == At.GET and s.sig[t] == Sig.LATE:
        yield from right.wake(k, right.idle(s, t), At.GET)
    else:
        yield from right.unwind(k, s, t)


def put_nowait_to_the_next(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-25: Wrong: a put_nowait that raises wakes a putter, although there is no room."""
    for q in right.put_nowait(k, s, t, x):
        if q.sent == s.sent:
            yield from right.wake(k, s, At.PUT)
        else:
            yield q


def cancel_outside(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-17: Wrong: a task in no call is cancelled in a get."""
    yield from right.cancel(k, s, t)
    if s.at[t] == At.IDLE:
        yield replace(s, at=s.at | {t: At.GET}, sig=s.sig | {t: Sig.CANCELLED})


def cancel_all(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-17: Wrong: a cancel ends the calls of all that wait in the same place."""
    for q in right.cancel(k, s, t):
        yield replace(q, at=q.at | {w: At.IDLE for w in k.tasks if right.waits(q, w, s.at[t])})


def unwind_perhaps(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a cancelled task need never run."""
    yield from right.unwind(k, s, t)


def task_done_of_none(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-14: Wrong: with nothing unfinished a report does not even raise."""
    if s.held[t] > 0:
        yield from right.task_done(k, s, t)


def get_nowait_discarding(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-24: Wrong: the last item is discarded by the get that should return it."""
    for q in right.get_nowait(k, s, t):
        yield replace(q, held=s.held) if q.buf == () else q


def get_resume_perhaps(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: Wrong: a woken getter need never run."""
    yield from right.get_resume(k, s, t)


unfair: Spec[Const, Queue] = Spec("queue: a cancelled task need never run", Queue, queue, without=("unwind",))
unfair.action(hidden=True, answer=right.cancelled)(unwind_perhaps)

sluggish: Spec[Const, Queue] = Spec(
    "queue: a woken getter need never run", Queue, queue, without=("get_resume",)
)
sluggish.action(hidden=True, answer=right.item)(get_resume_perhaps)

#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Queue]] = {
    "no_lost_getter": mutant(queue, "a cancelled getter keeps its wake-up", unwind=unwind_silently),
    "clean": mutant(queue, "a task that leaves is still signalled", unwind=unwind_keeping_the_signal),
    "empty_handed": mutant(queue, "a cancelled putter adds its item", unwind=unwind_bringing_the_item),
    "no_lost_putter": mutant(
        queue,
        "a get wakes no putter",
        get=get_silently,
        get_nowait=get_nowait_silently,
        get_resume=get_resume_silently,
    ),
    "served": mutant(queue, "a woken getter leaves with nothing", get_resume=get_resume_with_nothing),
    "released": mutant(queue, "join is released when the buffer empties", get=get_and_release),
    "fifo": mutant(queue, "the newest item comes first", get=get_the_newest),
    "lifo": mutant(queue, "a LifoQueue puts an item behind all others", put=put_behind),
    "least_first": mutant(queue, "a PriorityQueue returns the oldest item first", get=get_the_first),
    "bounded": mutant(queue, "a put does not check for room", put=put_anyway),
    "conserved": mutant(queue, "an item is counted twice", put=put_counting_twice),
    "oldest_first": mutant(queue, "any getter may be woken", put=put_waking_anyone),
    "join_waits": mutant(queue, "a join waits for nothing", join=join_even_so),
    "joined": mutant(queue, "a join does not wait for the last item", join=join_of_the_last),
    "never_negative": mutant(queue, "one task_done too many is counted", task_done=task_done_below_zero),
    "for_a_reason": mutant(queue, "a cancelled getter wakes the next one", unwind=unwind_to_the_next),
    "lined_up": mutant(queue, "a cancelled task stays in line", cancel=cancel_standing_in_line),
    "closed": mutant(queue, "a putter adds its item after a shutdown", put_resume=closing.put_resume_anyway),
    "emptied": mutant(
        queue, "a get raises although items are left", get_nowait=closing.get_nowait_never_again
    ),
    "drained": mutant(
        queue, "an immediate shutdown leaves the items", shutdown=closing.shutdown_leaving_items
    ),
    "let_go": mutant(queue, "a shutdown wakes no putter", shutdown=closing.shutdown_of_getters),
    "limited": mutant(queue, "a task puts more than allowed", put=put_beyond),
    "reported": mutant(queue, "a report is of all items held", task_done=task_done_of_all),
    "asked": mutant(queue, "a cancelled task was not woken", cancel=cancel_forgetting),
    "frame": mutant(queue, "a cancel ends the calls of others", cancel=cancel_all),
    "allowed": mutant(queue, "a single item cannot be reported", task_done=task_done_of_two),
    "comes_to_rest": unfair,
}
#: Other errors, by the property above that they break.
OTHERS: dict[str, list[Spec[Const, Queue]]] = {
    "no_lost_getter": [mutant(queue, "an uncancelled getter loses its wake-up", uncancel=uncancel_to_wait)],
    "released": [
        mutant(queue, "an immediate shutdown releases no join", shutdown=closing.shutdown_releasing_nobody)
    ],
    "clean": [mutant(queue, "a putter that leaves carries its item", unwind=unwind_keeping_the_item)],
    "empty_handed": [mutant(queue, "a cancelled getter takes an item", unwind=unwind_taking_an_item)],
    "allowed": [mutant(queue, "a report of nothing does not even raise", task_done=task_done_of_none)],
    "comes_to_rest": [sluggish],
    "emptied": [mutant(queue, "the last item is discarded", get_nowait=get_nowait_discarding)],
    "served": [
        mutant(
            queue, "a woken getter raises although items are left", get_resume=closing.get_resume_never_again
        ),
        mutant(queue, "a woken putter adds nothing", put_resume=put_resume_with_the_item),
        mutant(queue, "a join returns before it is released", join_resume=join_resume_too_early),
        mutant(queue, "a getter that comes too late leaves", get_resume=get_resume_too_late),
        mutant(queue, "a join returns after a shutdown", join_resume=closing.join_resume_after_a_shutdown),
        mutant(queue, "a woken getter discards what is left", get_resume=closing.get_resume_discarding),
    ],
    "for_a_reason": [mutant(queue, "a refused put wakes a putter", put_nowait=put_nowait_to_the_next)],
    "lifo": [
        mutant(queue, "an item takes the place of all others", put=put_over),
        mutant(queue, "the first item is put again", put=put_the_same),
        mutant(queue, "the second item is removed", get_nowait=get_nowait_leaving_it),
    ],
    "closed": [mutant(queue, "a put ends the shutdown", put=closing.put_reopening)],
    "drained": [
        mutant(queue, "every shutdown discards the items", shutdown=closing.shutdown_of_items),
        mutant(queue, "a queue stays open", shutdown=closing.shutdown_for_now),
        mutant(queue, "a task that waits shuts the queue down", shutdown=closing.shutdown_inside),
    ],
    "let_go": [mutant(queue, "a shutdown wakes no getter", shutdown=closing.shutdown_of_putters)],
    "reported": [mutant(queue, "a task that waits reports an item", task_done=task_done_inside)],
    "asked": [
        mutant(queue, "every cancelled task was woken", cancel=cancel_overstating),
        mutant(queue, "a task in no call is cancelled", cancel=cancel_outside),
    ],
}
