"""Lock, Semaphore and Condition of asyncio: permits that tasks wait for, and waiters that are cancelled.

One specification serves all three, because all do the same: a permit goes to the task that has waited longest, by a
wake-up that arrives later, and in between that task may be cancelled.  The differences are constants:

    hand    the permit goes with the wake-up (Semaphore), and a cancelled waiter gives it back; else it stays free, the
            woken waiter takes it when it runs (Lock), and a cancelled one passes the wake-up on
    barge   a newcomer may take a free permit although others wait
    keeps   a permit that no task waits for stays; else it is discarded, and so is one that was taken (Condition)

A lock is one permit, a semaphore several.  A condition has none: its wait is the `acquire` here, a notify makes a
permit for a task that waits now, and the waiter uses it up.  The lock that belongs to a condition, which a woken waiter
acquires again, is modelled only by the time that this takes: the waiter may be cancelled meanwhile.

The first parameter of an action is the task that calls, is cancelled or is uncancelled.  Only the holder of a permit
releases one here, where asyncio does not check; and only the wait for the permit is modelled.  An
Event is a level and hands nothing out: `events.py`.

Every rule ends with [source; standing].  "asyncio.Lock" is the documentation of CPython 3.15, "asyncio/locks.py" its
source; a rule is documented, settled (CPython does so, and its tests or issues rely on it), or defined here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from ..kit.core import Map, Spec, replace

Task = NewType("Task", int)


class At(StrEnum):
    """Where a task is."""

    OUT = "out"  # it waits for nothing, whether it holds a permit or not
    WAIT = "wait"
    WOKEN = "woken"  # and has not run yet
    LATE = "late"  # woken, then cancelled before it ran: it must pass the wake-up on
    GONE = "gone"  # cancelled while it waited, and has not run yet


class Said(StrEnum):
    """The result of a call."""

    DONE = "done"
    CANCELLED = "cancelled"  # CancelledError


@dataclass(frozen=True)
class Kind:
    """The constants: the tasks, the initial permits, and the kind of primitive.

    `withdraws`: whether requests to cancel may be taken back; a task that is cancelled and uncancelled for ever need
    not run.
    """

    tasks: frozenset[Task]
    permits: int
    hand: bool
    barge: bool
    keeps: bool
    withdraws: bool


@dataclass(frozen=True)
class Permits:
    """The state of the primitive, and of every task with respect to it.

    `free`: the number of permits that any task may take.  `held`: those that a task holds.  (a, b) in `line`: both
    wait, and a has waited longer.
    """

    free: int
    at: Map[Task, At]
    held: Map[Task, int]
    line: frozenset[tuple[Task, Task]]


locks: Spec[Kind, Permits] = Spec("locks", Permits, universe={Task: "tasks"})


def coming(s: Permits, t: Task) -> bool:
    """Whether t was woken and has not run since; it may have been cancelled, too."""
    return s.at[t] == At.WOKEN or s.at[t] == At.LATE


def alone(k: Kind, s: Permits) -> bool:
    """Whether no task waits or is about to acquire."""
    return all(s.at[w] == At.OUT or s.at[w] == At.GONE for w in k.tasks)


def behind(k: Kind, s: Permits, t: Task) -> Permits:
    """t waits, behind the tasks that wait already."""
    line = s.line | {(w, t) for w in k.tasks if w != t and s.at[w] == At.WAIT}
    return replace(s, at=s.at | {t: At.WAIT}, line=line)


def without(k: Kind, s: Permits, t: Task) -> frozenset[tuple[Task, Task]]:
    """The line without t."""
    return s.line - {(v, w) for v in k.tasks for w in k.tasks if v == t or w == t}


def wake(k: Kind, s: Permits) -> Iterator[Permits]:
    """Wake the task that has waited longest; where permits are handed over, with a permit."""
    for w in k.tasks:
        if s.at[w] == At.WAIT and all((v, w) not in s.line for v in k.tasks):
            yield replace(
                s,
                free=s.free - (1 if k.hand else 0),
                at=s.at | {w: At.WOKEN},
                line=without(k, s, w),
            )


def offer(k: Kind, s: Permits) -> Iterator[Permits]:
    """Offer a free permit: wake a waiter, unless permits are not handed over and a woken task has yet to run.  A lock
    may also leave that to a cancelled waiter that has yet to run.  If no task waits, the permit stays or is discarded.
    """
    if s.free > 0 and any(s.at[w] == At.WAIT for w in k.tasks):
        if k.hand or all(not coming(s, w) for w in k.tasks):
            yield from wake(k, s)
            if not k.hand and any(s.at[w] == At.GONE for w in k.tasks):
                yield s
        else:
            yield s
    else:
        yield replace(s, free=s.free if k.keeps else 0)


def enter(k: Kind, s: Permits, t: Task) -> Permits:
    """t acquires a permit, which a condition uses up."""
    return replace(s, at=s.at | {t: At.OUT}, held=s.held | {t: s.held[t] + (1 if k.keeps else 0)})


def done(k: Kind, s: Permits, t: Permits, w: Task) -> tuple[Said, ...]:
    """A call returns in the step that leaves its task outside."""
    return (Said.DONE,) if t.at[w] == At.OUT else ()


def cancelled(k: Kind, s: Permits, t: Permits, w: Task) -> tuple[Said, ...]:
    return (Said.CANCELLED,)


# Where calls must be possible.


def outside(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t waits for nothing."""
    return s.at[t] == At.OUT


def inside(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t waits, or was woken or cancelled and has not run since."""
    return s.at[t] != At.OUT


def holds(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t waits for nothing and holds a permit."""
    return s.at[t] == At.OUT and s.held[t] >= 1


def notifies(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t waits for nothing, and the primitive is a condition."""
    return s.at[t] == At.OUT and not k.keeps


def called_up(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t was woken, not cancelled, and has not run since."""
    return s.at[t] == At.WOKEN


def gone(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t was cancelled while it waited at a condition."""
    return s.at[t] == At.GONE and not k.keeps


def withdrawable(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t was cancelled and has not run since, where requests are taken back."""
    return k.withdraws and (s.at[t] == At.GONE or s.at[t] == At.LATE)


@locks.assume
def kinds(k: Kind) -> bool:
    """LOCK-11: There is a task, and a permit; a condition begins with none and hands over those that it makes.
    [asyncio's Lock, Semaphore and Condition in this specification; defined]"""
    return any(True for t in k.tasks) and (k.permits > 0 if k.keeps else k.permits == 0 and k.hand)


@locks.init
def untouched(k: Kind, s: Permits) -> bool:
    """LOCK-12: A new lock is unlocked, a new semaphore has all its permits, and no task waits.
    [asyncio.Lock, asyncio.Semaphore; documented]"""
    return s.free == k.permits and all(
        s.at[t] == At.OUT and s.held[t] == 0 and all((t, w) not in s.line for w in k.tasks) for t in k.tasks
    )


@locks.action(answer=done, changes="free at[t] held[t] line", whenever=outside)
def acquire(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-1: An acquire takes a free permit at once, unless others came first; else it waits, behind them.
    [asyncio.Lock.acquire, asyncio.Semaphore.acquire, asyncio.Condition.wait; documented]"""
    if s.at[t] == At.OUT:
        if s.free > 0 and (k.barge or alone(k, s)):
            yield enter(k, replace(s, free=s.free - 1), t)
        else:
            yield behind(k, s, t)


@locks.action(answer=done, changes="free held[t] at line", whenever=holds)
def release(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-2: A release gives a permit back, which is offered at once if a task waits; a lock may leave the offer to a
    cancelled waiter that has yet to run.
    [asyncio.Lock.release, asyncio.Semaphore.release, and asyncio/locks.py, where `Lock._wake_up_first` looks at the
    first waiter only; documented]"""
    if s.at[t] == At.OUT and s.held[t] > 0:
        yield from offer(k, replace(s, free=s.free + 1, held=s.held | {t: s.held[t] - 1}))


@locks.action(answer=done, changes="at line", whenever=notifies)
def notify(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-1: A notify wakes the task that has waited longest, and is not kept if no task waits; notify(n) is n
    notifies at once.
    [asyncio.Condition.notify, and asyncio/locks.py, where it goes through the line in order; settled]"""
    if s.at[t] == At.OUT and not k.keeps:
        yield from offer(k, replace(s, free=s.free + 1))


@locks.action(answer=done, changes="at line", whenever=notifies)
def notify_all(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-8: A notify_all wakes every waiting task.  [asyncio.Condition.notify_all; documented]"""
    if s.at[t] == At.OUT and not k.keeps:
        yield replace(
            s,
            at=s.at | {w: At.WOKEN for w in k.tasks if s.at[w] == At.WAIT},
            line=s.line - {(v, w) for v in k.tasks for w in k.tasks},
        )


@locks.action(fair=True, hidden=True, answer=done, changes="free at held[t] line", whenever=called_up)
def resume(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-3: A woken waiter has its permit, or takes a free one, or waits again when another task was faster; a
    further free permit is offered on.
    [asyncio/locks.py, the ends of `Lock.acquire` and `Semaphore.acquire`, and gh-90155; settled]"""
    if s.at[t] == At.WOKEN:
        if k.hand:
            yield from offer(k, enter(k, s, t))
        elif s.free > 0:
            yield from offer(k, enter(k, replace(s, free=s.free - 1), t))
        else:
            yield behind(k, s, t)


@locks.action(hidden=True, changes="free at line")
def early(k: Kind, s: Permits) -> Iterator[Permits]:
    """LOCK-13: A further free permit may be handed over before the waiter that is already woken has run.
    [asyncio/locks.py, where `Semaphore.acquire` wakes as many as there are permits since 3.13; settled]"""
    if k.hand and s.free > 0:
        yield from wake(k, s)


@locks.action(changes="at[t] line", whenever=inside)
def cancel(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-4: A waiting task is cancelled, before or after it was woken; a second cancel changes nothing.
    [asyncio.Task.cancel, which arranges for a CancelledError at the next step; documented]"""
    if s.at[t] == At.WAIT:
        yield replace(s, at=s.at | {t: At.GONE}, line=without(k, s, t))
    elif s.at[t] == At.WOKEN:
        yield replace(s, at=s.at | {t: At.LATE})
    elif s.at[t] != At.OUT:
        yield s


@locks.action(changes="at[t]", whenever=withdrawable)
def uncancel(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-18: When every request to cancel a task is taken back, a waiter that was woken before is woken as if it had
    not been cancelled; one that was not is cancelled all the same.  A waiter of a condition may have received
    CancelledError already, while it acquired its lock.
    [asyncio.Task.uncancel, and gh-116720: the last one withdraws a request that was not thrown; documented]"""
    if k.withdraws:
        if s.at[t] == At.LATE:
            yield replace(s, at=s.at | {t: At.WOKEN})
        if s.at[t] == At.GONE or (s.at[t] == At.LATE and not k.keeps):
            yield s


@locks.action(fair=True, hidden=True, answer=cancelled, changes="free at line")
def unwind(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-5: A cancelled waiter leaves; a permit that was handed to it is given back, and a free permit is offered on.
    [asyncio/locks.py, how `acquire` handles errors, and gh-112202; settled]"""
    if s.at[t] == At.GONE:
        yield from offer(k, replace(s, at=s.at | {t: At.OUT}))
    elif s.at[t] == At.LATE:
        yield from offer(k, replace(s, at=s.at | {t: At.OUT}, free=s.free + (1 if k.hand else 0)))


@locks.action(hidden=True, answer=cancelled, changes="at line", whenever=gone)
def spurious(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-2: A wait may return without a notify: a cancelled waiter may wake another as if it had been woken itself.
    [asyncio.Condition.wait, "may return from this call spuriously"; documented]"""
    if s.at[t] == At.GONE and not k.keeps:
        yield from offer(k, replace(s, at=s.at | {t: At.OUT}, free=s.free + 1))


@locks.invariant
def no_negative_permits(k: Kind, s: Permits) -> bool:
    """LOCK-14: No number of permits is negative; a condition keeps none, and no task holds one of it.
    [the meaning of this specification's state; defined]"""
    return (
        s.free >= 0
        and (k.keeps or s.free == 0)
        and all(s.held[t] >= 0 and (k.keeps or s.held[t] == 0) for t in k.tasks)
    )


@locks.invariant
def permits_are_conserved(k: Kind, s: Permits) -> bool:
    """LOCK-6: Every permit of a semaphore is free, held, or handed to a woken task that has yet to run; none is lost,
    and none made.
    [asyncio.Semaphore, "manages an internal counter"; documented]"""
    return not (k.keeps and k.hand) or k.permits == s.free + sum(s.held[t] for t in k.tasks) + sum(
        1 for t in k.tasks if coming(s, t)
    )


@locks.invariant
def one_holder_per_permit(k: Kind, s: Permits) -> bool:
    """LOCK-7: Every permit of a lock is free or has one holder: a single one has at most one, mutual exclusion.
    [asyncio.Lock, "guarantee exclusive access to a shared resource"; documented]"""
    return k.hand or k.permits == s.free + sum(s.held[t] for t in k.tasks)


@locks.invariant
def no_lost_waiter(k: Kind, s: Permits) -> bool:
    """LOCK-8: If a task waits while a permit is free, a woken task has yet to run, and will offer the permit on; of a
    lock it may be a cancelled one.
    [asyncio.Lock.acquire, "waits until the lock is unlocked"; documented]"""
    return (
        s.free == 0
        or all(s.at[w] != At.WAIT for w in k.tasks)
        or any(coming(s, w) or (s.at[w] == At.GONE and not k.hand) for w in k.tasks)
    )


@locks.invariant
def lined_up(k: Kind, s: Permits) -> bool:
    """LOCK-15: The waiting tasks are in one line.  [the meaning of this specification's state; defined]"""
    return all(
        ((v, w) in s.line or (w, v) in s.line) == (v != w and s.at[v] == At.WAIT and s.at[w] == At.WAIT)
        and ((v, w) not in s.line or (w, v) not in s.line)
        and all((u, v) not in s.line or (v, w) not in s.line or (u, w) in s.line for u in k.tasks)
        for v in k.tasks
        for w in k.tasks
    )


@locks.step
def oldest_first(k: Kind, s: Permits, t: Permits) -> bool:
    """LOCK-10: No waiter is woken while one that has waited longer waits on.
    [asyncio.Lock.acquire, "the coroutine that proceeds will be the first coroutine that started waiting", and
    asyncio/locks.py; documented]"""
    return all((v, w) not in s.line or t.at[w] != At.WOKEN or t.at[v] != At.WAIT for v in k.tasks for w in k.tasks)


@locks.step
def woken_task_gets_permit(k: Kind, s: Permits, t: Permits) -> bool:
    """LOCK-16: A woken task leaves the wait with a permit, a cancelled one without; no other task leaves it.
    [asyncio.Lock.acquire, asyncio.Semaphore.acquire; documented]"""
    return all(
        s.at[w] == At.OUT
        or t.at[w] != At.OUT
        or (s.at[w] != At.WAIT and t.held[w] == s.held[w] + (1 if k.keeps and s.at[w] == At.WOKEN else 0))
        for w in k.tasks
    )


@locks.step
def passed_on(k: Kind, s: Permits, t: Permits) -> bool:
    """COND-6: A notify that a cancelled waiter cannot use goes to another waiter.
    [gh-112202, fixed in CPython 3.13; settled]"""
    return k.keeps or all(
        s.at[w] != At.LATE
        or t.at[w] != At.OUT
        or all(s.at[v] != At.WAIT for v in k.tasks)
        or any(s.at[v] == At.WAIT and t.at[v] == At.WOKEN for v in k.tasks)
        for w in k.tasks
    )


@locks.step_of(acquire)
def acquires_at_once_if_free(k: Kind, s: Permits, t: Permits, w: Task) -> bool:
    """LOCK-19: An acquire returns at once exactly if a permit is free, and if no other task waits or was woken, unless
    newcomers may go first.
    [asyncio.Lock.acquire, asyncio.Semaphore.acquire; documented]"""
    first = all(s.at[v] != At.WAIT and not coming(s, v) for v in k.tasks)
    return t.at[w] == (At.OUT if s.free > 0 and (k.barge or first) else At.WAIT)


@locks.step_of(release)
def only_running_tasks_release(k: Kind, s: Permits, t: Permits, w: Task) -> bool:
    """LOCK-23: Only a task that waits for nothing releases a permit.  [asyncio.Lock.release; documented]"""
    return s.at[w] == At.OUT


@locks.step_of(cancel)
def cancel_ends_the_wait(k: Kind, s: Permits, t: Permits, w: Task) -> bool:
    """LOCK-20: Cancelling a waiting task ends its wait.  If the task was already woken, the cancel is recorded (LATE).
    [asyncio.Task.cancel; settled]"""
    return s.at[w] != At.OUT and t.at[w] == (At.LATE if coming(s, w) else At.GONE)


@locks.step_of(uncancel)
def only_requests_taken_back(k: Kind, s: Permits, t: Permits, w: Task) -> bool:
    """LOCK-21: Only a request to cancel a waiter is taken back: one that was woken before is woken again, or at a
    condition may stay cancelled, and one that was not stays cancelled.
    [asyncio.Task.uncancel, and gh-116720; documented]"""
    if s.at[w] == At.LATE:
        return t.at[w] == At.WOKEN or (not k.keeps and t.at[w] == At.LATE)
    return s.at[w] == At.GONE and t.at[w] == At.GONE


@locks.step_of(early)
def handed_over(k: Kind, s: Permits, t: Permits) -> bool:
    """LOCK-22: A permit that is offered before a woken waiter has run is handed over, so that it is free no more.
    [asyncio.Semaphore.release, gh-90155; settled]"""
    return t.free < s.free


@locks.step_of(notify)
def notify_wakes_a_waiter(k: Kind, s: Permits, t: Permits, w: Task) -> bool:
    """COND-9: A notify wakes a task if one waits.
    [asyncio.Condition.notify, "Wake up at least n tasks"; documented]"""
    return all(s.at[v] != At.WAIT for v in k.tasks) or any(s.at[v] == At.WAIT and t.at[v] == At.WOKEN for v in k.tasks)


@locks.step_of(notify, notify_all)
def only_running_tasks_notify(k: Kind, s: Permits, t: Permits, w: Task) -> bool:
    """COND-11: Only a task that waits for nothing notifies, and only at a condition.
    [asyncio.Condition.notify_all; documented]"""
    return s.at[w] == At.OUT and not k.keeps


@locks.step_of(spurious)
def only_cancelled_waiters_pass_on(k: Kind, s: Permits, t: Permits, w: Task) -> bool:
    """COND-10: Only a cancelled waiter of a condition wakes another without a notify, and it leaves; it wakes one if
    one waits.
    [asyncio.Condition.wait; settled]"""
    return gone(k, s, w) and t.at[w] == At.OUT and notify_wakes_a_waiter(k, s, t, w)


def binding(k: Kind, s: Permits, t: Task) -> bool:
    """Whether no request to cancel a task is taken back."""
    return not k.withdraws


def stopped(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t was cancelled and has not run since, where no request is taken back."""
    return not k.withdraws and (s.at[t] == At.GONE or s.at[t] == At.LATE)


def resumes(k: Kind, s: Permits, t: Task) -> bool:
    """Whether t was woken, and not cancelled, where no request is taken back."""
    return not k.withdraws and s.at[t] == At.WOKEN


def changes_left(k: Kind, s: Permits, t: Task) -> int:
    """The changes of t's place that are left before the last: a woken task may be cancelled, too."""
    return 1 if resumes(k, s, t) else 0


@locks.leads_to(binding, rank=changes_left, by={"unwind": stopped, "resume": resumes})
def comes_to_rest(k: Kind, s: Permits, t: Task) -> bool:
    """LOCK-17: A task that is woken or cancelled runs, if no request is taken back: it acquires, leaves, or waits
    again.
    [asyncio.Task.cancel and the event loop, which runs every callback; documented]"""
    return s.at[t] == At.OUT or s.at[t] == At.WAIT
