"""Mutants of locks, semaphores, conditions and events: each has one error, which the check must find at a known depth.

A mutant derives from the specification, with a wrong action in the place of the right one.  Most are errors that real
primitives had: a wake-up that is lost with the waiter that was woken, a waiter that queues beside a free permit and is
forgotten there, a notify that is lost with a waiter that is cancelled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..kit.bounded import spoilt
from ..kit.core import Spec
from . import events as flags
from . import specification as gates
from .events import Const, Flag, events
from .specification import At, Gate, Kind, Task, locks


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


def wait_anyway(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-2: Wrong: a wait does not look at the flag."""
    if s.at[t] == At.OUT:
        yield replace(s, at=s.at | {t: At.WAIT})


def set_for_one(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-1: Wrong: a set wakes one waiter, as a notify does."""
    if s.at[t] == At.OUT:
        if all(s.at[w] != At.WAIT for w in k.tasks):
            yield replace(s, up=True)
        for w in k.tasks:
            if s.at[w] == At.WAIT:
                yield replace(s, up=True, at=s.at | {w: At.WOKEN})


def resume_looking_again(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-4: Wrong: who was woken waits again if the event is cleared meanwhile."""
    for f in flags.resume(k, s, t):
        yield f if s.up else replace(s, at=s.at | {t: At.WAIT})


def unwind_event_perhaps(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-8: Wrong: a cancelled task need never run."""
    yield from flags.unwind(k, s, t)


unfair_event: Spec[Const, Flag] = Spec(
    "events: a cancelled task need never run", Flag, events, without=("unwind",)
)
unfair_event.action(hidden=True, answer=flags.cancelled)(unwind_event_perhaps)

#: The property that each breaks, and the text with the error.
EVENT_MISTAKES: dict[str, Spec[Const, Flag]] = {
    "none_beside": spoilt(events, "a wait does not look", wait=wait_anyway),
    "woken_by_set": spoilt(events, "a set wakes one waiter", set=set_for_one),
    "served": spoilt(events, "a woken waiter looks again", resume=resume_looking_again),
    "comes_to_rest": unfair_event,
}
