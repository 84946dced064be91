"""Events with one known error each: the check must find it, at a known depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .. import events as flags
from ..events import Const, Flag, events
from ..kit.core import Spec
from ..kit.instance import spoilt
from ..locks import At, Task


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


def unwind_perhaps(k: Const, s: Flag, t: Task) -> Iterator[Flag]:
    """EVENT-8: Wrong: a cancelled task need never run."""
    yield from flags.unwind(k, s, t)


unfair: Spec[Const, Flag] = Spec("events: a cancelled task need never run", Flag, events, without=("unwind",))
unfair.action(hidden=True, answer=flags.cancelled)(unwind_perhaps)

#: The property that each breaks, and the text with the error.
MISTAKES: dict[str, Spec[Const, Flag]] = {
    "none_beside": spoilt(events, "a wait does not look", wait=wait_anyway),
    "woken_by_set": spoilt(events, "a set wakes one waiter", set=set_for_one),
    "served": spoilt(events, "a woken waiter looks again", resume=resume_looking_again),
    "comes_to_rest": unfair,
}
