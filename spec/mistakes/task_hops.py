"""cancel() hop by hop, with one known error each: the check must find it, at a known depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..kit.core import Spec
from ..kit.instance import spoilt
from ..loop import Fut, World, park, pending, runs, waits
from ..task_hops import Hops, hop, task_hops


def ask_what_is_done(k: World, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: a task asks what it looks at, done or not."""
    if s.asked in k.tasks and s.loop.on[s.asked] != s.asked:
        yield replace(hop(k, s.loop, s.asked), asked=s.loop.on[s.asked])
    elif s.asked != k.loop:
        yield hop(k, s.loop, s.asked)


def ask_through_shields(k: World, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: a shield asks what it shields."""
    if s.asked != k.loop:
        yield (
            replace(hop(k, s.loop, s.asked), asked=k.inner[s.asked])
            if s.asked in k.shields
            else hop(k, s.loop, s.asked)
        )


def stop_at_tasks(k: World, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: a task that is awaited is not asked in its turn, but must be cancelled when it runs next."""
    q = hop(k, s.loop, s.asked)
    if s.asked in k.tasks and waits(s.loop, s.asked) and q.asked in k.tasks:
        yield Hops(replace(q.loop, must=q.loop.must | {s.asked}), k.loop)
    elif s.asked != k.loop:
        yield q


def ask_counting_to_one(k: World, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: requests are counted up to one only, so that going round for ever is seen as such."""
    for q in [hop(k, s.loop, s.asked)] if s.asked != k.loop else []:
        count = q.loop.count | {t: min(1, q.loop.count[t]) for t in k.tasks}
        yield replace(q, loop=replace(q.loop, count=count))


def await_in_a_circle(k: World, s: Hops, t: Fut, f: Fut) -> Iterator[Hops]:
    """HOP-4: Wrong: a task may await what awaits it."""
    if s.asked == k.loop and runs(k, s.loop, t) and f != t and pending(s.loop, f):
        yield Hops(park(k, s.loop, t, f), f if t in s.loop.must else k.loop)


#: The property that each breaks, and the text with the error.
MISTAKES: Final[dict[str, Spec[World, Hops]]] = {
    "asks_pending": spoilt(task_hops, "who was woken asks what is done", go_on=ask_what_is_done),
    "forward": spoilt(task_hops, "a shield asks what it shields", go_on=ask_through_shields),
    "returns": spoilt(
        task_hops, "tasks await each other in a circle", go_on=ask_counting_to_one, await_=await_in_a_circle
    ),
}
#: It is not what `task.py` allows.
stops: Final = spoilt(task_hops, "a request stops at the first task", go_on=stop_at_tasks)
