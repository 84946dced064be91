"""The queues of asyncio: put, get, task_done, join, shutdown, bounded capacity, waiters that are cancelled.

Tasks call the queue and may wait in one of three places: for an item, for room, or for the join.  A waiter is woken by
a signal and runs later.  In between, another task may take the item (then the waiter waits again), or the waiter may be
cancelled (then it passes the wake-up on).  Most defects of queues are in that gap, so the signal is part of the state:
WAIT, WOKEN, CANCELLED (it had not been woken) and LATE (it had).

`sent` and `got` record the items that were put, and those that were got or discarded, in order; no action reads them
except to bound the models.  `line` orders the tasks that wait in one place: the oldest is woken first.  Queue,
LifoQueue and PriorityQueue differ in a constant, `order`: which item leaves next.

The first parameter of an action is the task that calls, is cancelled or is uncancelled; the result for its caller is
given beside the action (`answer=`).  Here only the holder of an item reports one done, where asyncio counts the report
of any task.  A derived specification gives the rules that it adds identifiers of its own, such as MY-1.

Every rule ends with [source; standing].  "asyncio.Queue" is the documentation of CPython 3.15, "asyncio/queues.py" its
source; a rule is documented, settled (CPython does so, and its tests or issues rely on it), or defined here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from ..kit.core import Map, Spec, replace

Task = NewType("Task", int)
Item = NewType("Item", int)


class At(StrEnum):
    """Where a task is."""

    IDLE = "idle"  # it runs, or waits for something other than this queue
    GET = "get"
    PUT = "put"
    JOIN = "join"


class Sig(StrEnum):
    """The signal that a waiting task has received."""

    WAIT = "wait"  # none yet
    WOKEN = "woken"
    CANCELLED = "cancelled"  # cancelled while it waited
    LATE = "late"  # woken, then cancelled before it ran: it must pass the wake-up on


class Said(StrEnum):
    """The result of a call that returns no item."""

    DONE = "done"
    CANCELLED = "cancelled"  # CancelledError
    REFUSED = "refused"  # QueueEmpty, QueueFull or ValueError, and nothing has changed
    SHUT = "shut"  # QueueShutDown


class Order(StrEnum):
    """Which item leaves next."""

    FIFO = "fifo"  # the oldest: Queue
    LIFO = "lifo"  # the newest: LifoQueue
    LEAST = "least"  # the least: PriorityQueue


@dataclass(frozen=True)
class Const:
    """The constants: the tasks, the capacity (0 or less: unbounded), and how many puts a model may make.

    `withdraws`: whether requests to cancel may be taken back; a task that is cancelled and uncancelled for ever need
    not run.  `shuts`: whether the queue may be shut down.
    """

    tasks: frozenset[Task]
    maxsize: int
    puts: int
    withdraws: bool
    order: Order
    shuts: bool


@dataclass(frozen=True)
class Queue:
    """The state of the queue, and of every task with respect to it.

    `buf`: the items, the oldest first, or in a LifoQueue the newest first.
    `held`: the number of items that a task got and has not reported done.  `carry`: the item of a waiting putter.
    (a, b) in `line`: both wait for an item, or both for room, and a has waited longer.  `shut`: it was shut down.
    """

    buf: tuple[Item, ...]
    unfinished: int
    held: Map[Task, int]
    at: Map[Task, At]
    sig: Map[Task, Sig]
    carry: Map[Task, tuple[Item, ...]]
    line: frozenset[tuple[Task, Task]]
    sent: tuple[Item, ...]
    got: tuple[Item, ...]
    shut: bool


def least(xs: tuple[Item, ...]) -> Item:
    """The least item of xs, which is not empty."""
    return min(xs)


def before(xs: tuple[Item, ...], x: Item) -> tuple[Item, ...]:
    """The items of xs before the first x."""
    return xs[: xs.index(x)]


def after(xs: tuple[Item, ...], x: Item) -> tuple[Item, ...]:
    """The items of xs after the first x."""
    return xs[xs.index(x) + 1 :]


def last(xs: tuple[Item, ...]) -> tuple[Item, ...]:
    """The last item of xs."""
    return xs[-1:]


def is_least(xs: tuple[Item, ...], x: Item) -> bool:
    """The law of `least`."""
    return xs == () or (x in xs and all(x <= y for y in xs))


def is_before(xs: tuple[Item, ...], x: Item, ys: tuple[Item, ...]) -> bool:
    """The law of `before`: x and `after` are the rest."""
    return x not in xs or (xs == ys + (x,) + after(xs, x) and x not in ys)


def is_after(xs: tuple[Item, ...], x: Item, ys: tuple[Item, ...]) -> bool:
    """The law of `after`: `before` and x are the rest."""
    return x not in xs or xs == before(xs, x) + (x,) + ys


SLICES = "slices other than the first item and the rest are outside the subset"
MINIMUM = "the least of a tuple is outside the subset"
queue: Spec[Const, Queue] = Spec(
    "queue",
    Queue,
    opaque={"least": MINIMUM, "before": SLICES, "after": SLICES, "last": SLICES},
    laws={"least": is_least, "before": is_before, "after": is_after},
    universe={Task: "tasks"},
    numbers=[Item],
)


def waits(s: Queue, t: Task, at: At) -> bool:
    """Whether t waits there and has received no signal."""
    return s.at[t] == at and s.sig[t] == Sig.WAIT


def woken(s: Queue, t: Task, at: At) -> bool:
    """Whether t, waiting there, was woken and has not run since; it may have been cancelled, too."""
    return s.at[t] == at and (s.sig[t] == Sig.WOKEN or s.sig[t] == Sig.LATE)


def full(k: Const, s: Queue) -> bool:
    return k.maxsize > 0 and len(s.buf) >= k.maxsize


def behind(k: Const, s: Queue, t: Task, at: At) -> frozenset[tuple[Task, Task]]:
    """The line after t began to wait there, behind the tasks that wait there already."""
    return s.line | {(w, t) for w in k.tasks if waits(s, w, at)}


def without(k: Const, s: Queue, t: Task) -> frozenset[tuple[Task, Task]]:
    """The line without t."""
    return s.line - {(v, w) for v in k.tasks for w in k.tasks if v == t or w == t}


def wake(k: Const, s: Queue, at: At) -> Iterator[Queue]:
    """Wake the task that has waited there longest, if any waits."""
    if any(waits(s, w, at) for w in k.tasks):
        for w in k.tasks:
            if waits(s, w, at) and all(not waits(s, v, at) or (v, w) not in s.line for v in k.tasks):
                yield replace(s, sig=s.sig | {w: Sig.WOKEN}, line=without(k, s, w))
    else:
        yield s


def idle(s: Queue, t: Task) -> Queue:
    """t no longer waits."""
    return replace(s, at=s.at | {t: At.IDLE}, sig=s.sig | {t: Sig.WAIT}, carry=s.carry | {t: ()})


def taken(s: Queue, t: Task, items: tuple[Item, ...], rest: tuple[Item, ...]) -> Queue:
    """t has taken its one item from the buffer."""
    return replace(s, buf=rest, got=s.got + items, held=s.held | {t: s.held[t] + 1})


def take(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """t takes the next item, and one putter is woken."""
    for q in wake(k, idle(s, t), At.PUT):
        if k.order == Order.LEAST:
            x = least(s.buf)
            yield taken(q, t, (x,), before(s.buf, x) + after(s.buf, x))
        else:
            yield taken(q, t, s.buf[:1], s.buf[1:])


def add(k: Const, s: Queue, t: Task, items: tuple[Item, ...]) -> Iterator[Queue]:
    """t adds its one item to the buffer, and one getter is woken."""
    for q in wake(k, idle(s, t), At.GET):
        now = items + s.buf if k.order == Order.LIFO else s.buf + items
        yield replace(q, buf=now, sent=s.sent + items, unfinished=s.unfinished + 1)


def refusal(s: Queue) -> tuple[Said, ...]:
    """A call raises QueueShutDown after a shutdown."""
    return (Said.SHUT,) if s.shut else (Said.REFUSED,)


def item(k: Const, s: Queue, t: Queue, w: Task) -> tuple[Item | Said, ...]:
    """A get returns the item that it takes; nothing while it waits."""
    return last(t.got) if t.got != s.got else () if t.at[w] == At.GET else refusal(s)


def added(k: Const, s: Queue, t: Queue, w: Task, x: Item) -> tuple[Said, ...]:
    """A put returns when its item is in the buffer; nothing while it waits."""
    return (Said.DONE,) if t.sent != s.sent else () if t.at[w] == At.PUT else refusal(s)


def counted(k: Const, s: Queue, t: Queue, w: Task) -> tuple[Said, ...]:
    """A report of an item returns at once."""
    return (Said.DONE,) if t.unfinished != s.unfinished else (Said.REFUSED,)


def done(k: Const, s: Queue, t: Queue, w: Task) -> tuple[Said, ...]:
    """Any other call returns in the step that leaves its task idle; a put that waited raises after a shutdown."""
    return () if t.at[w] != At.IDLE else refusal(s) if s.at[w] == At.PUT and s.shut else (Said.DONE,)


def ended(k: Const, s: Queue, t: Queue, w: Task, immediate: bool) -> tuple[Said, ...]:
    """A shutdown returns at once."""
    return (Said.DONE,)


def cancelled(k: Const, s: Queue, t: Queue, w: Task) -> tuple[Said, ...]:
    return (Said.CANCELLED,)


# Where calls must be possible.


def calls(k: Const, s: Queue, t: Task) -> bool:
    """Whether t is in no call."""
    return s.at[t] == At.IDLE


def inside(k: Const, s: Queue, t: Task) -> bool:
    """Whether t is in a call that has not returned."""
    return s.at[t] != At.IDLE


def puts(k: Const, s: Queue, t: Task, x: Item) -> bool:
    """Whether t is in no call, and fewer items are put or carried than the model allows."""
    return s.at[t] == At.IDLE and len(s.sent) + sum(len(s.carry[p]) for p in k.tasks) < k.puts


def woken_get(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was woken in a get, not cancelled, and has not run since."""
    return s.at[t] == At.GET and s.sig[t] == Sig.WOKEN


def woken_put(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was woken in a put, not cancelled, and has not run since."""
    return s.at[t] == At.PUT and s.sig[t] == Sig.WOKEN


def woken_join(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was woken in a join, not cancelled, and has not run since."""
    return s.at[t] == At.JOIN and s.sig[t] == Sig.WOKEN


def withdrawable(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was cancelled and has not run since, where requests are taken back."""
    return k.withdraws and (s.sig[t] == Sig.CANCELLED or s.sig[t] == Sig.LATE)


def reports(k: Const, s: Queue, t: Task) -> bool:
    """Whether t is in no call, and holds an item or may not report one."""
    return s.at[t] == At.IDLE and (s.held[t] >= 1 or s.unfinished == 0)


def may_shut(k: Const, s: Queue, t: Task, immediate: bool) -> bool:
    """Whether t is in no call, and the queue may be shut down."""
    return k.shuts and s.at[t] == At.IDLE


@queue.assume
def some_tasks(k: Const) -> bool:
    """QUEUE-9: There is a task; a maxsize of 0 or less means no bound.
    [asyncio.Queue, "If maxsize is less than or equal to zero, the queue size is infinite"; documented]"""
    return any(True for t in k.tasks) and k.puts >= 0


@queue.init
def empty(k: Const, s: Queue) -> bool:
    """QUEUE-10: A new queue is empty, with nothing unfinished, no task waiting, and not shut down.
    [asyncio.Queue; documented]"""
    return (
        not s.shut
        and (s.buf == () and s.sent == () and s.got == () and s.unfinished == 0)
        and all(s.held[t] == 0 and s.at[t] == At.IDLE and s.sig[t] == Sig.WAIT for t in k.tasks)
        and all(s.carry[t] == () and all((t, w) not in s.line for w in k.tasks) for t in k.tasks)
    )


@queue.action(answer=item, changes="buf got held[t] sig line", whenever=calls)
def get_nowait(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-24: A get_nowait takes the next item, or raises QueueEmpty or QueueShutDown and changes nothing.
    [asyncio.Queue.get_nowait; documented]"""
    if s.at[t] == At.IDLE:
        if len(s.buf) > 0:
            yield from take(k, s, t)
        else:
            yield s


@queue.action(answer=item, changes="buf got held[t] at[t] sig line", whenever=calls)
def get(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-11: A get takes the next item at once, even before a getter that was woken; in an empty queue it waits,
    or after a shutdown raises QueueShutDown.
    [asyncio.Queue.get, and asyncio/queues.py, where `get` looks at the items only; settled]"""
    if s.at[t] == At.IDLE:
        if len(s.buf) > 0:
            yield from take(k, s, t)
        elif s.shut:
            yield s
        else:
            yield replace(s, at=s.at | {t: At.GET}, line=behind(k, s, t, At.GET))


@queue.action(fair=True, hidden=True, answer=item, changes="buf got held[t] at[t] sig line", whenever=woken_get)
def get_resume(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-4: A woken getter takes the next item, or waits again when another task was faster, or after a shutdown
    raises QueueShutDown.
    [asyncio/queues.py, the loop of `get`; settled]"""
    if s.at[t] == At.GET and s.sig[t] == Sig.WOKEN:
        if len(s.buf) > 0:
            yield from take(k, s, t)
        elif s.shut:
            yield idle(s, t)
        else:
            yield replace(s, sig=s.sig | {t: Sig.WAIT}, line=behind(k, s, t, At.GET))


def may_put(k: Const, s: Queue, t: Task) -> bool:
    """Whether t is idle, and the model allows one more put."""
    return s.at[t] == At.IDLE and len(s.sent) + sum(1 for p in k.tasks if s.at[p] == At.PUT) < k.puts


@queue.action(answer=added, changes="buf sent unfinished sig line", whenever=puts)
def put_nowait(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-25: A put_nowait adds its item where there is room, or raises QueueFull and changes nothing; after a
    shutdown it raises QueueShutDown.
    [asyncio.Queue.put_nowait; documented]"""
    if may_put(k, s, t):
        if full(k, s) or s.shut:
            yield s
        else:
            yield from add(k, s, t, (x,))


@queue.action(answer=added, changes="buf sent unfinished at[t] carry[t] sig line", whenever=puts)
def put(k: Const, s: Queue, t: Task, x: Item) -> Iterator[Queue]:
    """QUEUE-12: A put with room adds its item at once, even before a putter that was woken; in a full queue it waits;
    after a shutdown it raises QueueShutDown.
    [asyncio.Queue.put, and asyncio/queues.py, where `put` looks at the room only; settled]"""
    if may_put(k, s, t):
        if s.shut:
            yield s
        elif full(k, s):
            yield replace(s, at=s.at | {t: At.PUT}, carry=s.carry | {t: (x,)}, line=behind(k, s, t, At.PUT))
        else:
            yield from add(k, s, t, (x,))


@queue.action(
    fair=True,
    hidden=True,
    answer=done,
    changes="buf sent unfinished at[t] carry[t] sig line",
    whenever=woken_put,
)
def put_resume(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-13: A woken putter adds its item, or waits again when another task was faster, or after a shutdown raises
    QueueShutDown.
    [asyncio/queues.py, the loop of `put`; settled]"""
    if s.at[t] == At.PUT and s.sig[t] == Sig.WOKEN:
        if s.shut:
            yield idle(s, t)
        elif full(k, s):
            yield replace(s, sig=s.sig | {t: Sig.WAIT}, line=behind(k, s, t, At.PUT))
        else:
            yield from add(k, s, t, s.carry[t])


@queue.action(fair=True, answer=counted, changes="unfinished held[t] sig", whenever=reports)
def task_done(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-14: The holder of an item reports it done; the report that leaves nothing unfinished releases every
    join.  With nothing unfinished a report raises ValueError and changes nothing.
    [asyncio.Queue.task_done; documented]"""
    if s.at[t] == At.IDLE:
        if s.held[t] > 0:
            yield replace(
                s,
                unfinished=s.unfinished - 1,
                held=s.held | {t: s.held[t] - 1},
                sig=s.sig | {j: Sig.WOKEN for j in k.tasks if s.unfinished == 1 and waits(s, j, At.JOIN)},
            )
        elif s.unfinished == 0:
            yield s


@queue.action(answer=done, changes="at[t]", whenever=calls)
def join(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-15: A join waits while something is unfinished, and else returns at once.
    [asyncio.Queue.join; documented]"""
    if s.at[t] == At.IDLE:
        if s.unfinished > 0:
            yield replace(s, at=s.at | {t: At.JOIN})
        else:
            yield s


@queue.action(fair=True, hidden=True, answer=done, changes="at[t] sig[t]", whenever=woken_join)
def join_resume(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-16: A released join returns, whatever was put since.
    [asyncio/queues.py, `join` waits once and does not look again; settled]"""
    if s.at[t] == At.JOIN and s.sig[t] == Sig.WOKEN:
        yield idle(s, t)


@queue.action(answer=ended, changes="buf unfinished sig line got shut", whenever=may_shut)
def shutdown(k: Const, s: Queue, t: Task, immediate: bool) -> Iterator[Queue]:
    """QUEUE-37: A shutdown wakes all getters and putters that wait; an immediate one also discards the items, each
    counted as done, and releases every join if that leaves nothing unfinished.
    [asyncio.Queue.shutdown; documented]"""
    if k.shuts and s.at[t] == At.IDLE:
        left = s.unfinished - (len(s.buf) if immediate else 0)
        yield replace(
            s,
            buf=() if immediate else s.buf,
            unfinished=left,
            sig=s.sig
            | {
                w: Sig.WOKEN
                for w in k.tasks
                if waits(s, w, At.GET) or waits(s, w, At.PUT) or (waits(s, w, At.JOIN) and left == 0)
            },
            line=frozenset(),
            got=s.got + s.buf if immediate else s.got,
            shut=True,
        )


@queue.action(changes="sig[t] line", whenever=inside)
def cancel(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-17: A waiting task is cancelled, before or after it was woken; a second cancel changes nothing.
    [asyncio.Task.cancel, which arranges for a CancelledError at the next step, and `_must_cancel`; settled]"""
    if s.at[t] != At.IDLE:
        if s.sig[t] == Sig.WAIT:
            yield replace(s, sig=s.sig | {t: Sig.CANCELLED}, line=without(k, s, t))
        elif s.sig[t] == Sig.WOKEN:
            yield replace(s, sig=s.sig | {t: Sig.LATE})
        else:
            yield s


@queue.action(changes="sig[t]", whenever=withdrawable)
def uncancel(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-33: When every request to cancel a task is taken back, a waiter that was woken before is woken as if it
    had not been cancelled; one that was not is cancelled all the same.
    [asyncio.Task.uncancel, and gh-116720: the last one withdraws a request that was not thrown; documented]"""
    if k.withdraws:
        if s.sig[t] == Sig.LATE:
            yield replace(s, sig=s.sig | {t: Sig.WOKEN})
        elif s.sig[t] == Sig.CANCELLED:
            yield s


@queue.action(fair=True, hidden=True, answer=cancelled, changes="at[t] sig carry[t] line")
def unwind(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """QUEUE-18: A cancelled task leaves; one that had been woken passes the wake-up on, if there still is a reason.
    [asyncio/queues.py, how `get` and `put` handle errors, and test_get_cancel_drop_one_pending_reader; settled]"""
    if s.sig[t] == Sig.CANCELLED:
        yield idle(s, t)
    elif s.sig[t] == Sig.LATE:
        if (s.at[t] == At.GET and len(s.buf) > 0) or (s.at[t] == At.PUT and not full(k, s)):
            yield from wake(k, idle(s, t), s.at[t])
        else:
            yield idle(s, t)


@queue.invariant
def only_waiters_have_signals(k: Const, s: Queue) -> bool:
    """QUEUE-19: Only a waiting task has a signal, and only a waiting putter carries an item.
    [the meaning of this specification's state; defined]"""
    return all(
        (s.at[t] != At.IDLE or s.sig[t] == Sig.WAIT) and len(s.carry[t]) == (1 if s.at[t] == At.PUT else 0)
        for t in k.tasks
    )


@queue.invariant
def unfinished_items_are_conserved(k: Const, s: Queue) -> bool:
    """QUEUE-20: If only holders report items done, every unfinished item is in the buffer or held by a task.
    [asyncio.Queue.join, "The count of unfinished tasks"; documented]"""
    return s.unfinished == len(s.buf) + sum(s.held[t] for t in k.tasks)


@queue.invariant
def first_in_first_out(k: Const, s: Queue) -> bool:
    """QUEUE-1: The items put into a Queue are the items got followed by the items in the buffer, in order.
    [asyncio.Queue, "A first in, first out (FIFO) queue"; documented]"""
    return k.order != Order.FIFO or s.sent == s.got + s.buf


@queue.step
def last_in_first_out(k: Const, s: Queue, t: Queue) -> bool:
    """QUEUE-28: A LifoQueue returns the newest item first: an item is put before all others, and the first is got, or
    all are discarded.
    [asyncio.LifoQueue, "retrieves most recently added entries first (last in, first out)"; documented]"""
    return k.order != Order.LIFO or (
        t.buf == s.buf
        or (t.buf[1:] == s.buf and t.sent == s.sent + t.buf[:1])
        or (s.buf[1:] == t.buf and t.got == s.got + s.buf[:1])
        or t.buf == ()
    )


@queue.step
def least_first(k: Const, s: Queue, t: Queue) -> bool:
    """QUEUE-29: A PriorityQueue returns the least item first.
    [asyncio.PriorityQueue, "retrieves entries in priority order (lowest first)"; documented]"""
    return k.order != Order.LEAST or all(t.got != s.got + (x,) or all(x <= y for y in s.buf) for x in s.buf)


@queue.invariant
def at_most_maxsize_items(k: Const, s: Queue) -> bool:
    """QUEUE-2: The buffer never holds more than maxsize items.  [asyncio.Queue, maxsize; documented]"""
    return k.maxsize <= 0 or len(s.buf) <= k.maxsize


@queue.invariant
def no_lost_getter(k: Const, s: Queue) -> bool:
    """QUEUE-5: While a getter waits, every item in the buffer has a wake-up on its way.
    [asyncio.Queue.get, "wait until an item is available"; documented]"""
    return all(not waits(s, t, At.GET) for t in k.tasks) or len(s.buf) <= sum(1 for t in k.tasks if woken(s, t, At.GET))


@queue.invariant
def no_lost_putter(k: Const, s: Queue) -> bool:
    """QUEUE-21: While a putter waits, every free place has a wake-up on its way.
    [asyncio.Queue.put, "wait until a free slot is available"; documented]"""
    return (
        k.maxsize <= 0
        or all(not waits(s, t, At.PUT) for t in k.tasks)
        or k.maxsize - len(s.buf) <= sum(1 for t in k.tasks if woken(s, t, At.PUT))
    )


@queue.invariant
def never_negative(k: Const, s: Queue) -> bool:
    """QUEUE-8: The count of unfinished items is never negative.  If only holders report items done, none reports more
    than it got.
    [asyncio.Queue.task_done; documented]"""
    return all(s.held[t] >= 0 for t in k.tasks)


@queue.invariant
def join_waits(k: Const, s: Queue) -> bool:
    """QUEUE-7: A join waits only while something is unfinished, however often the count rose and fell.
    [asyncio.Queue.join; documented]"""
    return all(s.unfinished > 0 or not waits(s, t, At.JOIN) for t in k.tasks)


@queue.step
def last_item_releases_join(k: Const, s: Queue, t: Queue) -> bool:
    """QUEUE-6: A waiting join is released by the very step that leaves nothing unfinished, and by no other.
    [asyncio.Queue.join, "When the count of unfinished tasks drops to zero, join() unblocks"; documented]"""
    return all(
        not waits(s, j, At.JOIN) or (t.sig[j] == Sig.WOKEN) == (s.unfinished > 0 and t.unfinished == 0) for j in k.tasks
    )


@queue.invariant
def lined_up(k: Const, s: Queue) -> bool:
    """QUEUE-22: The tasks that wait for an item, and those that wait for room, are in one line each.
    [the meaning of this specification's state; defined]"""
    return all(
        ((v, w) in s.line or (w, v) in s.line)
        == (v != w and waits(s, v, s.at[w]) and waits(s, w, s.at[v]) and (s.at[v] == At.GET or s.at[v] == At.PUT))
        and ((v, w) not in s.line or (w, v) not in s.line)
        and all((u, v) not in s.line or (v, w) not in s.line or (u, w) in s.line for u in k.tasks)
        for v in k.tasks
        for w in k.tasks
    )


@queue.step
def oldest_first(k: Const, s: Queue, t: Queue) -> bool:
    """QUEUE-3: No getter, and no putter, is woken before one that has waited longer.
    [asyncio/queues.py, `_wakeup_next`; settled]"""
    return all((v, w) not in s.line or t.sig[w] != Sig.WOKEN or t.sig[v] == Sig.WOKEN for v in k.tasks for w in k.tasks)


@queue.step
def for_a_reason(k: Const, s: Queue, t: Queue) -> bool:
    """QUEUE-40: A getter that waits is woken only if there is an item then, and a putter only if there is room, or by a
    shutdown.
    [asyncio/queues.py, the calls of `_wakeup_next`; settled]"""
    return t.shut or all(
        t.sig[w] != Sig.WOKEN
        or ((not waits(s, w, At.GET) or len(t.buf) > 0) and (not waits(s, w, At.PUT) or not full(k, t)))
        for w in k.tasks
    )


@queue.step
def leaves_only_when_served(k: Const, s: Queue, t: Queue) -> bool:
    """QUEUE-23: A task that is not cancelled leaves a get with an item, a put with its item added, a join when
    released; after a shutdown it also leaves a get from an empty queue, and a put.
    [asyncio.Queue.get, put and join; documented]"""
    return all(
        s.at[w] == At.IDLE
        or t.at[w] != At.IDLE
        or (s.sig[w] == Sig.CANCELLED or s.sig[w] == Sig.LATE)
        or (s.at[w] == At.GET and (t.held[w] == s.held[w] + 1 or (s.shut and s.buf == ())))
        or (s.at[w] == At.PUT and (t.sent == s.sent + s.carry[w] or s.shut))
        or (s.at[w] == At.JOIN and s.sig[w] == Sig.WOKEN)
        for w in k.tasks
    )


@queue.step
def empty_handed(k: Const, s: Queue, t: Queue) -> bool:
    """QUEUE-27: A cancelled task moves no item in the step that leaves the call.
    [asyncio/queues.py, how `get` and `put` handle errors; settled]"""
    return all(
        (s.sig[w] != Sig.CANCELLED and s.sig[w] != Sig.LATE) or t.at[w] == s.at[w] or t.buf == s.buf for w in k.tasks
    )


@queue.step
def no_put_after_shutdown(k: Const, s: Queue, t: Queue) -> bool:
    """QUEUE-30: After a shutdown nothing is put: a put raises QueueShutDown; and the queue stays shut down.
    [asyncio.Queue.shutdown, "making queue gets and puts raise QueueShutDown"; documented]"""
    return not s.shut or (t.shut and t.sent == s.sent)


@queue.step_of(get_nowait, get)
def get_returns_while_items_remain(k: Const, s: Queue, t: Queue, w: Task) -> bool:
    """QUEUE-38: A get returns an item as long as there is one, also after a shutdown.
    [asyncio.Queue.shutdown, "gets will only raise once the queue is empty"; documented]"""
    return s.buf == () or t.held[w] == s.held[w] + 1


@queue.step_of(shutdown)
def only_immediate_shutdown_drains(k: Const, s: Queue, t: Queue, w: Task, immediate: bool) -> bool:
    """QUEUE-31: A shutdown is a call of a task that is in no other; an immediate one drains the queue, another leaves
    all items.
    [asyncio.Queue.shutdown; documented]"""
    return s.at[w] == At.IDLE and t.shut and t.buf == (() if immediate else s.buf)


@queue.invariant
def let_go(k: Const, s: Queue) -> bool:
    """QUEUE-32: After a shutdown no task waits to get or to put: all were woken, to return or to raise QueueShutDown.
    [asyncio.Queue.shutdown, "All blocked callers of put() and get() will be unblocked"; documented]"""
    return not s.shut or all(not waits(s, t, At.GET) and not waits(s, t, At.PUT) for t in k.tasks)


@queue.invariant
def puts_within_limit(k: Const, s: Queue) -> bool:
    """QUEUE-34: No more items were put, and are to be put, than the model allows.
    [the meaning of this specification's constants; defined]"""
    return len(s.sent) + sum(1 for p in k.tasks if s.at[p] == At.PUT) <= k.puts


@queue.step_of(task_done)
def task_done_reports_one_item(k: Const, s: Queue, t: Queue, w: Task) -> bool:
    """QUEUE-35: A report is by a task in no other call, and of one item, or of none by a task that holds none.
    [asyncio.Queue.task_done; documented]"""
    return s.at[w] == At.IDLE and (t.held[w] == s.held[w] - 1 or (s.held[w] == 0 and t.held[w] == 0))


@queue.step_of(join)
def join_waits_if_unfinished(k: Const, s: Queue, t: Queue, w: Task) -> bool:
    """QUEUE-39: A join returns at once only if nothing is unfinished.
    [asyncio.Queue.join, "Block until all items in the queue have been received and processed"; documented]"""
    return (t.at[w] == At.JOIN) == (s.unfinished > 0)


@queue.step_of(cancel)
def cancel_ends_the_wait(k: Const, s: Queue, t: Queue, w: Task) -> bool:
    """QUEUE-36: Cancelling a waiting task ends its wait.  If the task was already woken, the cancel is recorded (LATE).
    [asyncio.Task.cancel; settled]"""
    late = s.sig[w] == Sig.WOKEN or s.sig[w] == Sig.LATE
    return s.at[w] != At.IDLE and t.sig[w] == (Sig.LATE if late else Sig.CANCELLED)


def moving(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was woken or cancelled and has not run since, where no request is taken back."""
    return not k.withdraws and s.sig[t] != Sig.WAIT


def stopped(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was cancelled and has not run since, where no request is taken back."""
    return not k.withdraws and (s.sig[t] == Sig.CANCELLED or s.sig[t] == Sig.LATE)


def resumes_get(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was woken in a get, and not cancelled, where no request is taken back."""
    return not k.withdraws and woken_get(k, s, t)


def resumes_put(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was woken in a put, and not cancelled, where no request is taken back."""
    return not k.withdraws and woken_put(k, s, t)


def resumes_join(k: Const, s: Queue, t: Task) -> bool:
    """Whether t was woken in a join, and not cancelled, where no request is taken back."""
    return not k.withdraws and woken_join(k, s, t)


def changes_left(k: Const, s: Queue, t: Task) -> int:
    """How often the signal of t may still change before it runs: a woken task may be cancelled, too."""
    return 1 if s.sig[t] == Sig.WOKEN else 0


@queue.leads_to(
    moving,
    rank=changes_left,
    by={
        "unwind": stopped,
        "get_resume": resumes_get,
        "put_resume": resumes_put,
        "join_resume": resumes_join,
    },
)
def comes_to_rest(k: Const, s: Queue, t: Task) -> bool:
    """QUEUE-26: A task that is woken or cancelled runs, if no request is taken back: it leaves, or waits again.
    [asyncio.Task.cancel and the event loop, which runs every callback; documented]"""
    return s.sig[t] == Sig.WAIT
