"""Mutants of the queue: each has one error, which the check must find at a known depth.

A specification that nothing can break says nothing.  A mutant derives from the specification, with a wrong action in
the place of the right one, often the right one with a wrong result.  Most are errors that real queues had; a few
break only the meaning of this specification's state.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..kit.core import Spec, replace
from ..kit.mutants import in_state, mutant, only_where, unfair
from . import specification as right
from .specification import At, Const, Item, Queue, Sig, Task, queue

wrong = partial(mutant, queue)


def unwind_bringing_the_item(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a putter that was woken, then cancelled, still adds its item."""
    if s.at[t] == At.PUT and s.sig[t] == Sig.LATE and not right.full(k, s):
        yield from right.add(k, s, t, s.carry[t])
    else:
        yield from right.unwind(k, s, t)


def unwind_taking_an_item(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: Wrong: a getter that was cancelled before it was woken still takes an item."""
    if s.at[t] == At.GET and s.sig[t] == Sig.CANCELLED and len(s.buf) > 0:
        yield from right.take(k, s, t)
    else:
        yield from right.unwind(k, s, t)


def waking_none(k: Const, s: Queue, q: Queue, t: Task) -> Queue:
    """`q`, but every other task that waited in `s` still waits."""
    return replace(q, sig=q.sig | {p: s.sig[p] for p in k.tasks if p != t}, line=s.line)


def get_resume_with_nothing(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: Wrong: a woken getter leaves without an item, and hands its wake-up on."""
    if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN:
        yield from right.unwind(k, replace(s, sig=s.sig | {t: Sig.LATE}), t)


def join_resume_too_early(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-16: Wrong: a join that was not released returns."""
    if s.at[t] == At.JOIN and (s.sig[t] == Sig.WAIT or s.sig[t] == Sig.WOKEN):
        yield right.idle(s, t)


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


def shutdown_leaving_items(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: an immediate shutdown discards nothing."""
    yield from right.shutdown(k, s, t, False)


def shutdown_of_items(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: Wrong: every shutdown discards the items."""
    yield from right.shutdown(k, s, t, True)


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Queue]] = {
    "no_lost_getter": wrong("a cancelled getter keeps its wake-up", unwind=lambda s, t: right.idle(s, t)),
    "only_waiters_have_signals": wrong(
        "a task that leaves is still signalled", unwind=lambda s, q, t: replace(q, sig=q.sig | {t: s.sig[t]})
    ),
    "empty_handed": wrong("a cancelled putter adds its item", unwind=unwind_bringing_the_item),
    "no_lost_putter": wrong(
        "a get wakes no putter",
        get=lambda k, s, q, t: q if q.got == s.got else waking_none(k, s, q, t),
        get_nowait=lambda k, s, q, t: q if q.got == s.got else waking_none(k, s, q, t),
        get_resume=lambda k, s, q, t: q if q.got == s.got else waking_none(k, s, q, t),
    ),
    "leaves_only_when_served": wrong("a woken getter leaves with nothing", get_resume=get_resume_with_nothing),
    "last_item_releases_join": wrong(
        "join is released when the buffer empties",
        get=lambda k, s, q: (
            replace(q, sig=q.sig | {j: Sig.WOKEN for j in k.tasks if right.waits(q, j, At.JOIN)})
            if q.buf == () and len(s.buf) > 0
            else q
        ),
    ),
    "first_in_first_out": wrong(
        "the newest item comes first",
        get=lambda s, q: (
            q
            if q.got == s.got or len(s.buf) == 1
            else replace(q, buf=s.buf[:1] + s.buf[1:][1:], got=s.got + s.buf[1:][:1])
        ),
    ),
    "last_in_first_out": wrong(
        "a LifoQueue puts an item behind all others",
        put=lambda s, q, x: q if q.sent == s.sent else replace(q, buf=s.buf + (x,)),
    ),
    "least_first": wrong(
        "a PriorityQueue returns the oldest item first",
        get=lambda s, q: q if q.got == s.got else replace(q, buf=s.buf[1:], got=s.got + s.buf[:1]),
    ),
    "at_most_maxsize_items": wrong("a put does not check for room", put=put_anyway),
    "unfinished_items_are_conserved": wrong("an item is counted twice", put=put_counting_twice),
    "oldest_first": wrong("any getter may be woken", put=put_waking_anyone),
    "join_waits": wrong("a join waits for nothing", join=lambda q, t: replace(q, at=q.at | {t: At.JOIN})),
    "join_waits_if_unfinished": wrong(
        "a join does not wait for the last item", join=lambda s, q: s if s.unfinished == 1 else q
    ),
    "never_negative": wrong(
        "one task_done too many is counted",
        task_done=lambda s, q, t: replace(q, unfinished=s.unfinished - 1, held=s.held | {t: s.held[t] - 1}),
    ),
    "for_a_reason": wrong("a cancelled getter wakes the next one", unwind=unwind_to_the_next),
    "lined_up": wrong("a cancelled task stays in line", cancel=lambda s, q: replace(q, line=s.line)),
    "no_put_after_shutdown": wrong("a putter adds its item after a shutdown", put_resume=put_resume_anyway),
    "get_returns_while_items_remain": wrong(
        "a get raises although items are left",
        get_nowait=lambda s, q, t: s if s.at[t] == At.IDLE and s.shut else q,
    ),
    "only_immediate_shutdown_drains": wrong("an immediate shutdown leaves the items", shutdown=shutdown_leaving_items),
    "let_go": wrong(
        "a shutdown wakes no putter",
        shutdown=lambda k, s, q: replace(q, sig=q.sig | {w: s.sig[w] for w in k.tasks if s.at[w] == At.PUT}),
    ),
    "puts_within_limit": wrong("a task puts more than allowed", put=put_beyond),
    "task_done_reports_one_item": wrong("a report is of all items held", task_done=task_done_of_all),
    "cancel_ends_the_wait": wrong(
        "a cancelled task was not woken", cancel=lambda q, t: replace(q, sig=q.sig | {t: Sig.CANCELLED})
    ),
    "frame": wrong(
        "a cancel ends the calls of others",
        cancel=lambda k, s, q, t: replace(q, at=q.at | {w: At.IDLE for w in k.tasks if right.waits(q, w, s.at[t])}),
    ),
    # A task that holds one item cannot report it.
    "allowed": wrong("a single item cannot be reported", task_done=only_where(lambda s, t: s.held[t] != 1)),
    "comes_to_rest": unfair(queue, "a cancelled task need never run", "unwind"),
}
#: Other errors, by the property above that they break, numbered from 1 on.
OTHERS: dict[tuple[str, int], Spec[Const, Queue]] = {
    # It waits again, for the next wake-up.
    ("no_lost_getter", 1): wrong(
        "an uncancelled getter loses its wake-up",
        uncancel=lambda k, s, q, t: (
            replace(q, sig=q.sig | {t: Sig.WAIT}, line=right.behind(k, s, t, s.at[t])) if s.sig[t] == Sig.LATE else q
        ),
    ),
    ("last_item_releases_join", 1): wrong(
        "an immediate shutdown releases no join",
        shutdown=lambda k, s, q: replace(q, sig=q.sig | {w: s.sig[w] for w in k.tasks if s.at[w] == At.JOIN}),
    ),
    ("only_waiters_have_signals", 1): wrong(
        "a putter that leaves carries its item", unwind=lambda s, q: replace(q, carry=s.carry)
    ),
    ("empty_handed", 1): wrong("a cancelled getter takes an item", unwind=unwind_taking_an_item),
    # With nothing unfinished a report does not even raise.
    ("allowed", 1): wrong("a report of nothing does not even raise", task_done=only_where(lambda s, t: s.held[t] > 0)),
    ("comes_to_rest", 1): unfair(queue, "a woken getter need never run", "get_resume"),
    ("get_returns_while_items_remain", 1): wrong(
        "the last item is discarded", get_nowait=lambda s, q: replace(q, held=s.held) if q.buf == () else q
    ),
    ("leaves_only_when_served", 1): wrong(
        "a woken getter raises although items are left",
        get_resume=lambda s, q, t: right.idle(s, t) if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN and s.shut else q,
    ),
    ("leaves_only_when_served", 2): wrong("a woken putter adds nothing", put_resume=lambda s, t: right.idle(s, t)),
    ("leaves_only_when_served", 3): wrong("a join returns before it is released", join_resume=join_resume_too_early),
    ("leaves_only_when_served", 4): wrong(
        "a getter that comes too late leaves",
        get_resume=lambda s, q, t: (
            right.idle(s, t) if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN and s.buf == () else q
        ),
    ),
    ("leaves_only_when_served", 5): wrong("a join returns after a shutdown", join_resume=join_resume_after_a_shutdown),
    ("leaves_only_when_served", 6): wrong(
        "a woken getter discards what is left",
        get_resume=lambda s, q, t: (
            replace(right.idle(s, t), buf=()) if s.shut and s.at[t] == At.GET and s.sig[t] == Sig.WOKEN else q
        ),
    ),
    ("for_a_reason", 1): wrong("a refused put wakes a putter", put_nowait=put_nowait_to_the_next),
    ("last_in_first_out", 1): wrong(
        "an item takes the place of all others",
        put=lambda s, q, x: q if q.sent == s.sent else replace(q, buf=(x,)),
    ),
    ("last_in_first_out", 2): wrong(
        "the first item is put again",
        put=lambda s, q: q if q.sent == s.sent or s.buf == () else replace(q, buf=s.buf[:1] + s.buf),
    ),
    ("last_in_first_out", 3): wrong(
        "the second item is removed",
        get_nowait=lambda s, q: replace(q, buf=s.buf[:1] + s.buf[1:][1:]) if len(s.buf) > 1 else q,
    ),
    ("no_put_after_shutdown", 1): wrong("a put ends the shutdown", put=lambda q: replace(q, shut=False)),
    ("only_immediate_shutdown_drains", 1): wrong("every shutdown discards the items", shutdown=shutdown_of_items),
    ("only_immediate_shutdown_drains", 2): wrong("a queue stays open", shutdown=lambda s, q: replace(q, shut=s.shut)),
    # A task that waits shuts the queue down, and leaves.
    ("only_immediate_shutdown_drains", 3): wrong(
        "a task that waits shuts the queue down", shutdown=in_state(lambda s, t: right.idle(s, t))
    ),
    ("let_go", 1): wrong(
        "a shutdown wakes no getter",
        shutdown=lambda k, s, q: replace(q, sig=q.sig | {w: s.sig[w] for w in k.tasks if s.at[w] == At.GET}),
    ),
    # A task that waits reports an item, and leaves.
    ("task_done_reports_one_item", 1): wrong(
        "a task that waits reports an item", task_done=in_state(lambda s, t: right.idle(s, t))
    ),
    ("cancel_ends_the_wait", 1): wrong(
        "every cancelled task was woken", cancel=lambda q, t: replace(q, sig=q.sig | {t: Sig.LATE})
    ),
    ("cancel_ends_the_wait", 2): wrong("a task in no call is cancelled", cancel=cancel_outside),
}
