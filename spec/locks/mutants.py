"""Mutants of locks, semaphores and conditions: each has one error, which the check must find at a known depth.

A mutant derives from the specification, with a wrong action in the place of the right one.  Most are errors that real
primitives had: a wake-up that is lost with the waiter that was woken, a waiter that queues beside a free permit and is
forgotten there, a notify that is lost with a waiter that is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..kit.core import Spec, replace
from ..kit.mutants import mutant, only_where, unfair
from . import specification as right
from .specification import At, Kind, Permits, Task, locks

wrong = partial(mutant, locks)


def early_at_any_lock(k: Kind, s: Permits) -> Iterator[Permits]:
    """LOCK-13: Wrong: a lock wakes further waiters before the one that is woken has run."""
    if s.free > 0:
        yield from right.wake(k, s)


def release_what_it_has_not(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-2: Wrong: one task releases a permit that it does not hold."""
    yield from right.release(k, s, t)
    if s.at[t] == At.OUT and all(s.held[w] == 0 for w in k.tasks):
        yield replace(s, free=s.free + 1, held=s.held | {t: -1})


def notify_anyone(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-1: Wrong: any waiter may be woken, not the one that has waited longest."""
    yield from right.notify(k, s, t)
    for w in k.tasks:
        if s.at[t] == At.OUT and s.at[w] == At.WAIT:
            yield replace(s, at=s.at | {w: At.WOKEN}, line=right.without(k, s, w))


def uncancel_in_vain(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-18: Wrong: a waiter that was woken, cancelled and uncancelled may stay cancelled."""
    yield from right.uncancel(k, s, t)
    if s.at[t] == At.LATE:
        yield s


def uncancel_a_waiter(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-18: Wrong: an uncancel of a waiter that was not cancelled cancels it."""
    yield from right.uncancel(k, s, t)
    if s.at[t] == At.WAIT:
        yield from right.cancel(k, s, t)


def acquire_never(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-1: Wrong: an acquire that would wait is refused."""
    for g in right.acquire(k, s, t):
        if g.at[t] == At.OUT:
            yield g


def cancel_outside(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-4: Wrong: a task that waits for nothing leaves a wait when it is cancelled."""
    yield from right.cancel(k, s, t)
    if s.at[t] == At.OUT:
        yield replace(s, at=s.at | {t: At.GONE})


def uncancel_whom_it_may(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-18: Wrong: an uncancel of a task that was not cancelled is one of a waiter."""
    yield from right.uncancel(k, s, t)
    if s.at[t] == At.OUT:
        yield s


def notify_all_inside(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-8: Wrong: a task that waits may call notify_all, which does nothing then."""
    yield from right.notify_all(k, s, t)
    if s.at[t] == At.WAIT:
        yield s


def release_inside(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-2: Wrong: a task that waits for another permit releases one."""
    if s.held[t] > 0:
        yield from right.offer(k, replace(s, free=s.free + 1, held=s.held | {t: s.held[t] - 1}))


def spurious_to_nobody(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-2: Wrong: a waiter that was not cancelled returns, too."""
    yield from right.spurious(k, s, t)
    if s.at[t] == At.WAIT:
        yield replace(s, at=s.at | {t: At.OUT}, line=right.without(k, s, t))


def spurious_when_late(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-2: Wrong: a waiter that was woken, then cancelled, leaves so, too."""
    yield from right.spurious(k, s, t)
    if s.at[t] == At.LATE and not k.keeps:
        yield from right.offer(k, replace(s, at=s.at | {t: At.OUT}, free=s.free + 1))


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Kind, Permits]] = {
    "no_lost_waiter": wrong(
        "a cancelled waiter keeps its wake-up", unwind=lambda s, t: replace(s, at=s.at | {t: At.OUT})
    ),
    "permits_are_conserved": wrong(
        "a cancelled waiter loses its permit", unwind=lambda s, t: replace(s, at=s.at | {t: At.OUT})
    ),
    "woken_task_gets_permit": wrong(
        "a cancelled waiter keeps its permit",
        unwind=lambda k, s, q, t: right.enter(k, s, t) if s.at[t] == At.LATE else q,
    ),
    "one_holder_per_permit": wrong(
        "a woken waiter does not check",
        resume=lambda k, s, t: right.enter(k, replace(s, free=max(0, s.free - 1)), t),
    ),
    "no_negative_permits": wrong("a notify is kept for later", notify=lambda s, q: replace(q, free=1) if q == s else q),
    "oldest_first": wrong("any waiter may be notified", notify=notify_anyone),
    "passed_on": wrong(
        "a cancelled waiter loses its notify",
        unwind=lambda s, q, t: replace(q, at=s.at | {t: At.OUT}, line=s.line),
    ),
    "lined_up": wrong("a cancelled task stays in line", cancel=lambda s, q: replace(q, line=s.line)),
    "acquires_at_once_if_free": wrong(
        "a newcomer never goes first",
        acquire=lambda k, s, q, t: q if right.alone(k, s) or s.at[t] != At.OUT else right.behind(k, s, t),
    ),
    "cancel_ends_the_wait": wrong(
        "a cancelled waiter was not woken", cancel=lambda q, t: replace(q, at=q.at | {t: At.GONE})
    ),
    "only_requests_taken_back": wrong("any task is uncancelled as a waiter", uncancel=uncancel_whom_it_may),
    "notify_wakes_a_waiter": wrong("a notify wakes no task", notify=lambda s: s),
    "only_cancelled_waiters_pass_on": wrong("a wait returns for no reason", spurious=spurious_to_nobody),
    "frame": wrong(
        "a cancel is one of all waiters",
        cancel=lambda k, q: replace(q, at=q.at | {w: At.GONE for w in k.tasks if q.at[w] == At.WAIT}, line=frozenset()),
    ),
    "allowed": wrong("an acquire that would wait is refused", acquire=acquire_never),
    "comes_to_rest": unfair(locks, "a cancelled task need never run", "unwind"),
}
#: Other errors that break properties named above.
SELFISH = wrong(
    "a woken waiter offers nothing on",
    resume=lambda k, s, t: right.enter(k, replace(s, free=s.free - (0 if k.hand else 1)), t),
)
FORGETFUL = wrong(
    "an uncancelled waiter loses its wake-up",
    uncancel=lambda k, s, q, t: right.behind(k, q, t) if s.at[t] == At.LATE else q,
)
MEDDLING = wrong("a task outside is cancelled in a wait", cancel=cancel_outside)
STINGY = wrong("the last permit is not released", release=only_where(lambda s, t: s.held[t] > 1))
# A request is taken back only of a waiter that was woken.
FINAL = wrong("a waiter that was not woken stays cancelled", uncancel=only_where(lambda s, t: s.at[t] == At.LATE))
PATIENT = wrong(
    "an uncancelled waiter that was not woken waits on",
    uncancel=lambda k, s, q, t: right.behind(k, q, t) if s.at[t] == At.GONE else q,
)
# It does not count it, unless another task holds one.
KEEPING = wrong(
    "a woken waiter of a condition has a permit",
    resume=lambda k, s, q, t: replace(q, held=q.held | {t: 1}) if all(s.held[w] == 0 for w in k.tasks) else q,
)
RELEASING = wrong("a permit that no task holds is released", release=release_what_it_has_not)
OVERDRAWN = wrong(
    "a permit that is not there is acquired",
    acquire=lambda k, s, q, t: (
        right.enter(k, replace(s, free=-1), t) if s.at[t] == At.OUT and s.free == 0 and right.alone(k, s) else q
    ),
)
STUBBORN = wrong("an uncancelled waiter stays cancelled", uncancel=uncancel_in_vain)
CONTRARY = wrong("an uncancel cancels a waiter", uncancel=uncancel_a_waiter)
ONE_NOTIFY = wrong(
    "a second notify is lost", notify=lambda k, s, q: s if any(s.at[w] == At.WOKEN for w in k.tasks) else q
)
CANCELLING = wrong(
    "a notify cancels every waiter",
    notify=lambda k, s, q: replace(q, at=s.at | {w: At.GONE for w in k.tasks if s.at[w] == At.WAIT}, line=frozenset()),
)
ONE_PASSED_ON = wrong(
    "a second notify is not passed on",
    unwind=lambda k, s, q, t: (
        replace(q, at=s.at | {t: At.OUT}, line=s.line) if any(s.at[w] == At.WOKEN for w in k.tasks) else q
    ),
)
SPREADING = wrong(
    "a cancelled waiter cancels every other",
    unwind=lambda k, s, q, t: replace(
        q, at=(s.at | {w: At.GONE for w in k.tasks if s.at[w] == At.WAIT}) | {t: At.OUT}, line=frozenset()
    ),
)
TWICE = wrong("a waiter that was notified leaves for no reason", spurious=spurious_when_late)
STAYING = wrong("a waiter wakes another and stays", spurious=lambda q, t: replace(q, at=q.at | {t: At.GONE}))
SILENT = wrong(
    "a waiter leaves and wakes no other",
    spurious=lambda s, q, t: replace(q, at=s.at | {t: At.OUT}, line=s.line),
)
LAZY = wrong(
    "a semaphore leaves the offer to a cancelled waiter",
    release=lambda k, s, q, t: (
        replace(s, free=s.free + 1, held=s.held | {t: s.held[t] - 1})
        if s.at[t] == At.OUT and s.held[t] > 0 and any(s.at[w] == At.GONE for w in k.tasks)
        else q
    ),
)
NOTIFYING = wrong("a task that waits calls notify_all", notify_all=notify_all_inside)
WAITING = wrong("a task that waits releases a permit", release=release_inside)
HASTY = wrong("a lock wakes several waiters for one permit", early=early_at_any_lock)
GENEROUS = wrong(
    "a permit is handed to every waiter",
    release=lambda k, q: replace(q, at=q.at | {w: At.WOKEN for w in k.tasks if q.at[w] == At.WAIT}, line=frozenset()),
)
