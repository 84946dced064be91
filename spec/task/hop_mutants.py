"""Mutants of cancel() hop by hop: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ..kit.core import Spec, replace
from ..kit.mutants import mutant, unfair
from . import hops as right
from .hops import Hops, hop, task_hops
from .loop import Const, Fut, Is, park, pending, runs, waits

wrong = partial(mutant, task_hops)


def cancel_and_wake(k: Const, s: Hops, x: Fut) -> Iterator[Hops]:
    """HOP-2: Wrong: the beginning of a cancel() makes every task ready that waits for nothing."""
    for q in right.cancel(k, s, x):
        low = q.loop
        ready = low.ready | {t for t in k.tasks if pending(low, t) and not waits(low, t)}
        yield replace(q, loop=replace(low, ready=ready))


def ask_what_is_done(k: Const, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: a task cancels the future that it waited for, done or not."""
    low = s.loop
    if s.asked in k.tasks and low.on[s.asked] != s.asked:
        yield replace(hop(k, low, s.asked), asked=low.on[s.asked])
    elif s.asked != k.loop:
        yield hop(k, s.loop, s.asked)


def ask_through_shields(k: Const, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: a shield cancels its inner future."""
    if s.asked != k.loop:
        yield (
            replace(hop(k, s.loop, s.asked), asked=k.inner[s.asked])
            if s.asked in k.shields
            else hop(k, s.loop, s.asked)
        )


def ask_past_one(k: Const, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: a task that awaits a waiting task cancels the future of that one."""
    if s.asked != k.loop:
        low = s.loop
        q = hop(k, low, s.asked)
        new = q.loop
        past = low.on[q.asked] if q.asked in k.tasks else q.asked
        lower = replace(new, on=new.on | {s.asked: past})
        yield Hops(loop=lower, asked=past) if past != q.asked else q


def cancel_beyond(k: Const, s: Hops, x: Fut) -> Iterator[Hops]:
    """HOP-2: Wrong: while some task has counted fewer than `most`, a shield may be cancelled that ends so anyway."""
    yield from right.cancel(k, s, x)
    q = s.loop
    ends_so = x in k.shields and pending(q, x) and q.state[k.inner[x]] == Is.CANCELLED
    if s.asked == k.loop and q.turn == k.loop and ends_so and any(q.count[t] < k.most for t in k.tasks):
        yield replace(s, asked=x)


def stop_at_tasks(k: Const, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: a task that awaits a task does not pass a request on, but must itself be cancelled when it runs
    next."""
    if s.asked != k.loop:
        q = hop(k, s.loop, s.asked)
        low = q.loop
        if s.asked in k.tasks and waits(s.loop, s.asked) and q.asked in k.tasks:
            yield Hops(loop=replace(low, must=low.must | {s.asked}), asked=k.loop)
        else:
            yield q


def ask_counting_to_one(k: Const, s: Hops) -> Iterator[Hops]:
    """HOP-3: Wrong: requests are counted up to one only, so that endless hops revisit a state."""
    if s.asked != k.loop:
        q = hop(k, s.loop, s.asked)
        low = q.loop
        yield replace(q, loop=replace(low, count=low.count | {t: min(1, low.count[t]) for t in k.tasks}))


def await_in_a_circle(k: Const, s: Hops, t: Fut, f: Fut) -> Iterator[Hops]:
    """HOP-4: Wrong: a task may await a task that awaits it."""
    low = s.loop
    if s.asked == k.loop and runs(k, low, t) and f != t and pending(low, f):
        yield Hops(loop=park(k, low, t, f), asked=f if t in low.must else k.loop)


done_asked: Final = wrong("a woken task cancels a done future", go_on=ask_what_is_done)
#: By the property that each breaks.
MUTANTS: Final[dict[str, Spec[Const, Hops]]] = {
    "request_follows_the_wait": wrong("a shield cancels its inner future", go_on=ask_through_shields),
    "requests_within_limit": wrong("a shield takes more requests than allowed", cancel=cancel_beyond),
    "frame": wrong("a cancel makes tasks ready", cancel=cancel_and_wake),
    "cancel_returns": wrong("tasks await each other in a circle", go_on=ask_counting_to_one, await_=await_in_a_circle),
}
#: Other errors that break a property named above.
past_one: Final = wrong("a request skips a task", go_on=ask_past_one)
two: Final = wrong(
    "a request makes two hops at once", go_on=lambda k, q: q if q.asked == k.loop else hop(k, q.loop, q.asked)
)
stuck = unfair(task_hops, "a request need not go on", "go_on")
#: Breaks the refinement only.
stops: Final = wrong("a request stops at the first task", go_on=stop_at_tasks)
