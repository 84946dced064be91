"""Mutants of events: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from . import events as right
from .events import Const, Flag, events
from .specification import At, Task


def wait_anyway(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-2: Wrong: a wait does not check the flag, if no other task is in one."""
    if s.at[t] == At.OUT and all(s.at[w] == At.OUT for w in k.tasks):
        yield replace(s, at=s.at | {t: At.WAIT})
    else:
        yield from right.wait(k, s, t)


def set_for_now(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-1: Wrong: a set that wakes a task is over with that."""
    for q in right.set(k, s, t):
        yield replace(q, up=q.at == s.at)


def set_inside(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-1: Wrong: a task that waits sets the event."""
    yield replace(s, up=True, at=s.at | {w: At.WOKEN for w in k.tasks if s.at[w] == At.WAIT})


def resume_looking_again(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-4: Wrong: a woken waiter waits again if the event was cleared meanwhile."""
    for f in right.resume(k, s, t):
        yield f if s.up else replace(s, at=s.at | {t: At.WAIT})


def uncancel_event_to_wait(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: Wrong: a waiter that was woken, cancelled and uncancelled waits again."""
    for f in right.uncancel(k, s, t):
        yield replace(f, at=f.at | {t: At.WAIT}) if s.at[t] == At.LATE else f


def clear_nothing(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-3: Wrong: a clear does nothing."""
    if s.at[t] == At.OUT:
        yield s


def clear_while_waiting(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-3: Wrong: a clear ends every wait."""
    for f in right.clear(k, s, t):
        yield replace(f, at=f.at | {w: At.OUT for w in k.tasks})


def wait_even_so(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-2: Wrong: a wait returns at once, whether the flag is set or not."""
    if s.at[t] == At.OUT:
        yield s


def cancel_event_forgetting(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-7: Wrong: that a cancelled waiter was woken before is forgotten."""
    for f in right.cancel(k, s, t):
        yield replace(f, at=f.at | {t: At.GONE})


def cancel_once(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-7: Wrong: a second cancel is refused."""
    if s.at[t] == At.WAIT or s.at[t] == At.WOKEN:
        yield from right.cancel(k, s, t)


def clear_and_leave(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-3: Wrong: a clear ends the wait of the task that calls it."""
    yield replace(s, up=False, at=s.at | {t: At.OUT})


def wait_again(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-2: Wrong: a waiter that was woken may wait again if the event was cleared meanwhile."""
    yield from right.wait(k, s, t)
    if s.at[t] == At.WOKEN and not s.up:
        yield replace(s, at=s.at | {t: At.WAIT})


def wait_consuming(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-2: Wrong: a wait clears the event, and waits for the next set."""
    if s.at[t] == At.OUT:
        yield Flag(up=False, at=s.at | {t: At.WAIT})


def cancel_event_outside(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-7: Wrong: a task that waits for nothing leaves a wait when it is cancelled."""
    yield from right.cancel(k, s, t)
    if s.at[t] == At.OUT:
        yield replace(s, at=s.at | {t: At.GONE})


def cancel_event_as_woken(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-7: Wrong: a cancelled waiter counts as one that was woken before."""
    for f in right.cancel(k, s, t):
        yield replace(f, at=f.at | {t: At.LATE})


def uncancel_event_waiter(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: Wrong: an uncancel of a waiter that was not cancelled cancels it."""
    yield from right.uncancel(k, s, t)
    if s.at[t] == At.WAIT:
        yield replace(s, at=s.at | {t: At.GONE})


def uncancel_event_as_if_nothing_was(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: Wrong: a waiter that was cancelled before it was woken, and uncancelled, waits on."""
    for f in right.uncancel(k, s, t):
        yield replace(f, at=f.at | {t: At.WAIT}) if s.at[t] == At.GONE else f


def uncancel_any(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: Wrong: an uncancel of a task that was not cancelled is one of a waiter."""
    yield from right.uncancel(k, s, t)
    if s.at[t] == At.WOKEN:
        yield s


def uncancel_refused(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: Wrong: a request is taken back only of a waiter that was woken."""
    if s.at[t] == At.LATE:
        yield from right.uncancel(k, s, t)


def uncancel_refused_to_the_woken(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-13: Wrong: a request is taken back only of a waiter that was not woken."""
    if s.at[t] == At.GONE:
        yield from right.uncancel(k, s, t)


def unwind_event_perhaps(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-8: Wrong: a cancelled task need never run."""
    yield from right.unwind(k, s, t)


unfair_event: Spec[Const, Flag] = Spec(
    "events: a cancelled task need never run", Flag, events, without=("unwind",)
)
unfair_event.action(hidden=True, answer=right.cancelled)(unwind_event_perhaps)

#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Flag]] = {
    "none_beside": mutant(events, "a wait does not check", wait=wait_anyway),
    "woken_by_set": mutant(events, "a set that wakes a task is forgotten", set=set_for_now),
    "served": mutant(events, "a woken waiter checks again", resume=resume_looking_again),
    "was_set": mutant(events, "a task that waits sets the event", set=set_inside),
    "cleared": mutant(events, "a clear does nothing", clear=clear_nothing),
    "waited": mutant(events, "a wait never waits", wait=wait_even_so),
    "asked": mutant(events, "a cancelled waiter was not woken", cancel=cancel_event_forgetting),
    "withdrawn": mutant(events, "any task is uncancelled as a waiter", uncancel=uncancel_any),
    "frame": mutant(events, "a clear ends every wait", clear=clear_while_waiting),
    "allowed": mutant(events, "a second cancel is refused", cancel=cancel_once),
    "comes_to_rest": unfair_event,
}
#: Other errors that break properties named above.
LEAVING = mutant(events, "a clear ends its caller's wait", clear=clear_and_leave)
AGAIN = mutant(events, "a woken waiter waits in another wait", wait=wait_again)
CONSUMING = mutant(events, "a wait clears the event", wait=wait_consuming)
MEDDLING = mutant(events, "a task outside is cancelled in a wait", cancel=cancel_event_outside)
MISTAKEN = mutant(events, "a cancelled waiter counts as woken", cancel=cancel_event_as_woken)
CONTRARY = mutant(events, "an uncancel cancels a waiter", uncancel=uncancel_event_waiter)
PATIENT = mutant(
    events,
    "an uncancelled waiter that was not woken waits on",
    uncancel=uncancel_event_as_if_nothing_was,
)
FINAL = mutant(events, "a waiter that was not woken stays cancelled", uncancel=uncancel_refused)
LAST = mutant(events, "a waiter that was woken stays cancelled", uncancel=uncancel_refused_to_the_woken)
FORGETFUL = mutant(events, "an uncancelled waiter waits again", uncancel=uncancel_event_to_wait)
