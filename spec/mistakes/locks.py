"""Locks, semaphores and conditions with one known error each: the check must find it, at a known depth.

Theory of operation.  As in `queue.py`: each derives from the text with a wrong action in the place of the right one.
Most are errors that real primitives had: a wake-up that is lost with the one who was woken, a waiter that queues beside
a free permit and is forgotten there, a notify eaten by a waiter that is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import locks as gates
from ..kit.core import Spec
from ..kit.instance import spoilt
from ..locks import At, Gate, Kind, Task, locks


def unwind_silently(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """LOCK-5: Wrong: whoever is cancelled just leaves."""
    if s.at[t] == At.GONE or s.at[t] == At.LATE:
        yield replace(s, at=s.at | {t: At.OUT})


def unwind_with_the_permit(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """LOCK-5: Wrong: who was woken, then cancelled, takes its permit along."""
    if s.at[t] == At.LATE:
        yield gates.enter(k, s, t)
    else:
        yield from gates.unwind(k, s, t)


def unwind_using_it_up(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """LOCK-5: Wrong: who was notified, then cancelled, tells nobody."""
    for g in gates.unwind(k, s, t):
        yield replace(g, at=s.at | {t: At.OUT}, line=s.line)


def resume_selfishly(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """LOCK-3: Wrong: a woken waiter offers nothing on."""
    if s.at[t] == At.WOKEN:
        yield gates.enter(k, replace(s, free=s.free - (0 if k.hand else 1)), t)


def resume_unseeing(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """LOCK-3: Wrong: a woken waiter does not look whether the permit is still free."""
    if s.at[t] == At.WOKEN:
        yield gates.enter(k, replace(s, free=max(0, s.free - 1)), t)


def notify_for_later(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """COND-1: Wrong: a notify that finds nobody is kept."""
    for g in gates.notify(k, s, t):
        yield replace(g, free=1) if g == s else g


def notify_anyone(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """COND-1: Wrong: any waiter may be woken, not who has waited longest."""
    yield from gates.notify(k, s, t)
    for w in k.tasks:
        if s.at[t] == At.OUT and s.at[w] == At.WAIT:
            yield replace(s, at=s.at | {w: At.WOKEN}, line=gates.without(k, s, w))


def release_for_all(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """LOCK-2: Wrong: a permit that is released is handed to everybody who waits."""
    for g in gates.release(k, s, t):
        yield replace(g, at=g.at | {w: At.WOKEN for w in k.tasks if g.at[w] == At.WAIT}, line=frozenset())


def cancel_standing_in_line(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """LOCK-4: Wrong: who is cancelled keeps its place in the line."""
    for g in gates.cancel(k, s, t):
        yield replace(g, line=s.line)


def unwind_perhaps(k: Kind, s: Gate, t: Task) -> Iterator[Gate]:
    """LOCK-5: Wrong: a cancelled task need never run."""
    yield from gates.unwind(k, s, t)


unfair: Spec[Kind, Gate] = Spec("locks: a cancelled task need never run", Gate, locks, without=("unwind",))
unfair.action(hidden=True, answer=gates.cancelled)(unwind_perhaps)

#: The property that each breaks, and the text with the error.
MISTAKES: dict[str, Spec[Kind, Gate]] = {
    "nobody_lost": spoilt(locks, "a cancelled waiter keeps its wake-up", unwind=unwind_silently),
    "conserved": spoilt(locks, "a cancelled waiter loses its permit", unwind=unwind_silently),
    "served": spoilt(locks, "a cancelled waiter takes its permit along", unwind=unwind_with_the_permit),
    "exclusive": spoilt(locks, "a woken waiter does not look", resume=resume_unseeing),
    "clean": spoilt(locks, "a notify is kept for later", notify=notify_for_later),
    "oldest_first": spoilt(locks, "any waiter may be notified", notify=notify_anyone),
    "passed_on": spoilt(locks, "a cancelled waiter eats its notify", unwind=unwind_using_it_up),
    "lined_up": spoilt(locks, "who is cancelled stays in line", cancel=cancel_standing_in_line),
    "comes_to_rest": unfair,
}
#: Other errors, which break the same.
SELFISH = spoilt(locks, "a woken waiter offers nothing on", resume=resume_selfishly)
GENEROUS = spoilt(locks, "a permit is handed to everybody", release=release_for_all)
