"""Mutants of events: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..kit.core import Spec, replace
from ..kit.mutants import mutant, only_where, unfair
from . import events as right
from .events import Const, Flag, events
from .specification import At, Task

wrong = partial(mutant, events)


def wait_anyway(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-2: Wrong: a wait does not check the flag, if no other task is in one."""
    if s.at[t] == At.OUT and all(s.at[w] == At.OUT for w in k.tasks):
        yield replace(s, at=s.at | {t: At.WAIT})
    else:
        yield from right.wait(k, s, t)


def set_inside(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-1: Wrong: a task that waits sets the event."""
    yield replace(s, up=True, at=s.at | {w: At.WOKEN for w in k.tasks if s.at[w] == At.WAIT})


def clear_and_leave(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-3: Wrong: a clear ends the wait of the task that calls it."""
    yield replace(s, up=False, at=s.at | {t: At.OUT})


def wait_again(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-2: Wrong: a waiter that was woken may wait again if the event was cleared meanwhile."""
    yield from right.wait(k, s, t)
    if s.at[t] == At.WOKEN and not s.up:
        yield replace(s, at=s.at | {t: At.WAIT})


def cancel_event_outside(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-7: Wrong: a task that waits for nothing leaves a wait when it is cancelled."""
    yield from right.cancel(k, s, t)
    if s.at[t] == At.OUT:
        yield replace(s, at=s.at | {t: At.GONE})


def uncancel_event_waiter(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: Wrong: an uncancel of a waiter that was not cancelled cancels it."""
    yield from right.uncancel(k, s, t)
    if s.at[t] == At.WAIT:
        yield replace(s, at=s.at | {t: At.GONE})


def uncancel_any(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: Wrong: an uncancel of a task that was not cancelled is one of a waiter."""
    yield from right.uncancel(k, s, t)
    if s.at[t] == At.WOKEN:
        yield s


#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Flag]] = {
    "none_beside": wrong("a wait does not check", wait=wait_anyway),
    "woken_by_set": wrong("a set that wakes a task is forgotten", set=lambda s, q: replace(q, up=q.at == s.at)),
    "leaves_only_when_woken": wrong(
        "a woken waiter checks again",
        resume=lambda s, q, t: q if s.up else replace(s, at=s.at | {t: At.WAIT}),
    ),
    "was_set": wrong("a task that waits sets the event", set=set_inside),
    "clear_unsets_the_flag": wrong("a clear does nothing", clear=lambda s: s),
    "waits_only_if_unset": wrong("a wait never waits", wait=lambda s: s),
    "cancel_ends_the_wait": wrong(
        "a cancelled waiter was not woken", cancel=lambda q, t: replace(q, at=q.at | {t: At.GONE})
    ),
    "only_requests_taken_back": wrong("any task is uncancelled as a waiter", uncancel=uncancel_any),
    "frame": wrong("a clear ends every wait", clear=lambda k, q: replace(q, at=q.at | {w: At.OUT for w in k.tasks})),
    "allowed": wrong(
        "a second cancel is refused",
        cancel=only_where(lambda s, t: s.at[t] == At.WAIT or s.at[t] == At.WOKEN),
    ),
    "comes_to_rest": unfair(events, "a cancelled task need never run", "unwind"),
}
#: Other errors that break properties named above.
LEAVING = wrong("a clear ends its caller's wait", clear=clear_and_leave)
AGAIN = wrong("a woken waiter waits in another wait", wait=wait_again)
# It waits for the next set.
CONSUMING = wrong("a wait clears the event", wait=lambda s, t: Flag(up=False, at=s.at | {t: At.WAIT}))
MEDDLING = wrong("a task outside is cancelled in a wait", cancel=cancel_event_outside)
MISTAKEN = wrong("a cancelled waiter counts as woken", cancel=lambda q, t: replace(q, at=q.at | {t: At.LATE}))
CONTRARY = wrong("an uncancel cancels a waiter", uncancel=uncancel_event_waiter)
PATIENT = wrong(
    "an uncancelled waiter that was not woken waits on",
    uncancel=lambda s, q, t: replace(q, at=q.at | {t: At.WAIT}) if s.at[t] == At.GONE else q,
)
# A request is taken back only of a waiter that was woken.
FINAL = wrong("a waiter that was not woken stays cancelled", uncancel=only_where(lambda s, t: s.at[t] == At.LATE))
# A request is taken back only of a waiter that was not woken.
LAST = wrong("a waiter that was woken stays cancelled", uncancel=only_where(lambda s, t: s.at[t] == At.GONE))
FORGETFUL = wrong(
    "an uncancelled waiter waits again",
    uncancel=lambda s, q, t: replace(q, at=q.at | {t: At.WAIT}) if s.at[t] == At.LATE else q,
)
