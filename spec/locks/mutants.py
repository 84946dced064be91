"""Mutants of locks, semaphores and conditions: each has one error, which the check must find at a known depth.

A mutant derives from the specification, with a wrong action in the place of the right one.  Most are errors that real
primitives had: a wake-up that is lost with the waiter that was woken, a waiter that queues beside a free permit and is
forgotten there, a notify that is lost with a waiter that is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from . import specification as right
from .specification import At, Kind, Permits, Task, locks


def unwind_silently(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-5: Wrong: a cancelled task just leaves."""
    if s.at[t] == At.GONE or s.at[t] == At.LATE:
        yield replace(s, at=s.at | {t: At.OUT})


def unwind_with_the_permit(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-5: Wrong: a waiter that was woken, then cancelled, keeps its permit."""
    if s.at[t] == At.LATE:
        yield right.enter(k, s, t)
    else:
        yield from right.unwind(k, s, t)


def unwind_using_it_up(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-5: Wrong: a waiter that was notified, then cancelled, does not pass the notify on."""
    for g in right.unwind(k, s, t):
        yield replace(g, at=s.at | {t: At.OUT}, line=s.line)


def early_at_any_lock(k: Kind, s: Permits) -> Iterator[Permits]:
    """LOCK-13: Wrong: a lock wakes further waiters before the one that is woken has run."""
    if s.free > 0:
        yield from right.wake(k, s)


def resume_selfishly(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-3: Wrong: a woken waiter does not offer a further permit on."""
    if s.at[t] == At.WOKEN:
        yield right.enter(k, replace(s, free=s.free - (0 if k.hand else 1)), t)


def resume_unseeing(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-3: Wrong: a woken waiter does not check that the permit is still free."""
    if s.at[t] == At.WOKEN:
        yield right.enter(k, replace(s, free=max(0, s.free - 1)), t)


def resume_for_itself(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-3: Wrong: one woken waiter takes a permit without counting it, unless another holds one."""
    for g in right.resume(k, s, t):
        yield replace(g, held=g.held | {t: 1}) if all(s.held[w] == 0 for w in k.tasks) else g


def release_what_it_has_not(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-2: Wrong: one task releases a permit that it does not hold."""
    yield from right.release(k, s, t)
    if s.at[t] == At.OUT and all(s.held[w] == 0 for w in k.tasks):
        yield replace(s, free=s.free + 1, held=s.held | {t: -1})


def acquire_too_many(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-1: Wrong: one more than the free permits is acquired."""
    if s.at[t] == At.OUT and s.free == 0 and right.alone(k, s):
        yield right.enter(k, replace(s, free=-1), t)
    else:
        yield from right.acquire(k, s, t)


def notify_for_later(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-1: Wrong: a notify without a waiter is kept."""
    for g in right.notify(k, s, t):
        yield replace(g, free=1) if g == s else g


def notify_one_at_a_time(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-1: Wrong: a notify is lost while another that was woken has yet to run."""
    for g in right.notify(k, s, t):
        yield s if any(s.at[w] == At.WOKEN for w in k.tasks) else g


def notify_by_cancelling(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-1: Wrong: a notify cancels every waiter."""
    for g in right.notify(k, s, t):
        yield replace(g, at=s.at | {w: At.GONE for w in k.tasks if s.at[w] == At.WAIT}, line=frozenset())


def unwind_one_at_a_time(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-5: Wrong: a notify is not passed on while another that was woken has yet to run."""
    for g in right.unwind(k, s, t):
        if any(s.at[w] == At.WOKEN for w in k.tasks):
            yield replace(g, at=s.at | {t: At.OUT}, line=s.line)
        else:
            yield g


def unwind_by_cancelling(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-5: Wrong: a waiter that was notified, then cancelled, cancels every other."""
    for g in right.unwind(k, s, t):
        at = s.at | {w: At.GONE for w in k.tasks if s.at[w] == At.WAIT}
        yield replace(g, at=at | {t: At.OUT}, line=frozenset())


def notify_anyone(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-1: Wrong: any waiter may be woken, not the one that has waited longest."""
    yield from right.notify(k, s, t)
    for w in k.tasks:
        if s.at[t] == At.OUT and s.at[w] == At.WAIT:
            yield replace(s, at=s.at | {w: At.WOKEN}, line=right.without(k, s, w))


def release_for_all(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-2: Wrong: a permit that is released is handed to every waiter."""
    for g in right.release(k, s, t):
        yield replace(g, at=g.at | {w: At.WOKEN for w in k.tasks if g.at[w] == At.WAIT}, line=frozenset())


def release_leaving_it(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-2: Wrong: a semaphore, too, leaves the offer to a cancelled waiter."""
    if s.at[t] == At.OUT and s.held[t] > 0 and any(s.at[w] == At.GONE for w in k.tasks):
        yield replace(s, free=s.free + 1, held=s.held | {t: s.held[t] - 1})
    else:
        yield from right.release(k, s, t)


def cancel_standing_in_line(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-4: Wrong: a cancelled task keeps its place in the line."""
    for g in right.cancel(k, s, t):
        yield replace(g, line=s.line)


def unwind_perhaps(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-5: Wrong: a cancelled task need never run."""
    yield from right.unwind(k, s, t)


def uncancel_to_wait(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-18: Wrong: a waiter that was woken, cancelled and uncancelled waits again, for the next wake-up."""
    for g in right.uncancel(k, s, t):
        yield right.behind(k, g, t) if s.at[t] == At.LATE else g


def uncancel_as_if_nothing_was(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-18: Wrong: a waiter that was cancelled before it was woken, and uncancelled, waits on."""
    for g in right.uncancel(k, s, t):
        yield right.behind(k, g, t) if s.at[t] == At.GONE else g


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


def acquire_behind(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-1: Wrong: a newcomer that may go first waits behind those that were woken."""
    for g in right.acquire(k, s, t):
        yield g if right.alone(k, s) or s.at[t] != At.OUT else right.behind(k, s, t)


def acquire_never(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-1: Wrong: an acquire that would wait is refused."""
    for g in right.acquire(k, s, t):
        if g.at[t] == At.OUT:
            yield g


def cancel_forgetting(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-4: Wrong: that a cancelled waiter was woken before is forgotten."""
    for g in right.cancel(k, s, t):
        yield replace(g, at=g.at | {t: At.GONE})


def cancel_all(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-4: Wrong: every waiter is cancelled."""
    for g in right.cancel(k, s, t):
        yield replace(g, at=g.at | {w: At.GONE for w in k.tasks if g.at[w] == At.WAIT}, line=frozenset())


def cancel_outside(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-4: Wrong: a task that waits for nothing leaves a wait when it is cancelled."""
    yield from right.cancel(k, s, t)
    if s.at[t] == At.OUT:
        yield replace(s, at=s.at | {t: At.GONE})


def release_not_the_last(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-2: Wrong: the last permit is not released."""
    if s.held[t] > 1:
        yield from right.release(k, s, t)


def uncancel_whom_it_may(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-18: Wrong: an uncancel of a task that was not cancelled is one of a waiter."""
    yield from right.uncancel(k, s, t)
    if s.at[t] == At.OUT:
        yield s


def uncancel_woken_only(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-18: Wrong: a request is taken back only of a waiter that was woken."""
    if s.at[t] == At.LATE:
        yield from right.uncancel(k, s, t)


def notify_all_inside(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-8: Wrong: a task that waits may call notify_all, which does nothing then."""
    yield from right.notify_all(k, s, t)
    if s.at[t] == At.WAIT:
        yield s


def release_inside(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """LOCK-2: Wrong: a task that waits for another permit releases one."""
    if s.held[t] > 0:
        yield from right.offer(k, replace(s, free=s.free + 1, held=s.held | {t: s.held[t] - 1}))


def notify_nobody(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-1: Wrong: a notify wakes no task."""
    if s.at[t] == At.OUT and not k.keeps:
        yield s


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


def spurious_staying(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-2: Wrong: the waiter that wakes another stays cancelled."""
    for g in right.spurious(k, s, t):
        yield replace(g, at=g.at | {t: At.GONE})


def spurious_silently(k: Kind, s: Permits, t: Task) -> Iterator[Permits]:
    """COND-2: Wrong: the waiter that leaves wakes no other."""
    for g in right.spurious(k, s, t):
        yield replace(g, at=s.at | {t: At.OUT}, line=s.line)


unfair: Spec[Kind, Permits] = Spec(
    "locks: a cancelled task need never run", Permits, locks, without=("unwind",)
)
unfair.action(hidden=True, answer=right.cancelled)(unwind_perhaps)

#: By the property that each breaks.
MUTANTS: dict[str, Spec[Kind, Permits]] = {
    "no_lost_waiter": mutant(locks, "a cancelled waiter keeps its wake-up", unwind=unwind_silently),
    "conserved": mutant(locks, "a cancelled waiter loses its permit", unwind=unwind_silently),
    "served": mutant(locks, "a cancelled waiter keeps its permit", unwind=unwind_with_the_permit),
    "exclusive": mutant(locks, "a woken waiter does not check", resume=resume_unseeing),
    "clean": mutant(locks, "a notify is kept for later", notify=notify_for_later),
    "oldest_first": mutant(locks, "any waiter may be notified", notify=notify_anyone),
    "passed_on": mutant(locks, "a cancelled waiter loses its notify", unwind=unwind_using_it_up),
    "lined_up": mutant(locks, "a cancelled task stays in line", cancel=cancel_standing_in_line),
    "entered": mutant(locks, "a newcomer never goes first", acquire=acquire_behind),
    "asked": mutant(locks, "a cancelled waiter was not woken", cancel=cancel_forgetting),
    "withdrawn": mutant(locks, "any task is uncancelled as a waiter", uncancel=uncancel_whom_it_may),
    "notified": mutant(locks, "a notify wakes no task", notify=notify_nobody),
    "unnotified": mutant(locks, "a wait returns for no reason", spurious=spurious_to_nobody),
    "frame": mutant(locks, "a cancel is one of all waiters", cancel=cancel_all),
    "allowed": mutant(locks, "an acquire that would wait is refused", acquire=acquire_never),
    "comes_to_rest": unfair,
}
#: Other errors that break properties named above.
SELFISH = mutant(locks, "a woken waiter offers nothing on", resume=resume_selfishly)
FORGETFUL = mutant(locks, "an uncancelled waiter loses its wake-up", uncancel=uncancel_to_wait)
MEDDLING = mutant(locks, "a task outside is cancelled in a wait", cancel=cancel_outside)
STINGY = mutant(locks, "the last permit is not released", release=release_not_the_last)
FINAL = mutant(locks, "a waiter that was not woken stays cancelled", uncancel=uncancel_woken_only)
PATIENT = mutant(
    locks, "an uncancelled waiter that was not woken waits on", uncancel=uncancel_as_if_nothing_was
)
KEEPING = mutant(locks, "a woken waiter of a condition has a permit", resume=resume_for_itself)
RELEASING = mutant(locks, "a permit that no task holds is released", release=release_what_it_has_not)
OVERDRAWN = mutant(locks, "a permit that is not there is acquired", acquire=acquire_too_many)
STUBBORN = mutant(locks, "an uncancelled waiter stays cancelled", uncancel=uncancel_in_vain)
CONTRARY = mutant(locks, "an uncancel cancels a waiter", uncancel=uncancel_a_waiter)
ONE_NOTIFY = mutant(locks, "a second notify is lost", notify=notify_one_at_a_time)
CANCELLING = mutant(locks, "a notify cancels every waiter", notify=notify_by_cancelling)
ONE_PASSED_ON = mutant(locks, "a second notify is not passed on", unwind=unwind_one_at_a_time)
SPREADING = mutant(locks, "a cancelled waiter cancels every other", unwind=unwind_by_cancelling)
TWICE = mutant(locks, "a waiter that was notified leaves for no reason", spurious=spurious_when_late)
STAYING = mutant(locks, "a waiter wakes another and stays", spurious=spurious_staying)
SILENT = mutant(locks, "a waiter leaves and wakes no other", spurious=spurious_silently)
LAZY = mutant(locks, "a semaphore leaves the offer to a cancelled waiter", release=release_leaving_it)
NOTIFYING = mutant(locks, "a task that waits calls notify_all", notify_all=notify_all_inside)
WAITING = mutant(locks, "a task that waits releases a permit", release=release_inside)
HASTY = mutant(locks, "a lock wakes several waiters for one permit", early=early_at_any_lock)
GENEROUS = mutant(locks, "a permit is handed to every waiter", release=release_for_all)
