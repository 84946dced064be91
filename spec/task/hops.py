"""cancel() as implementations do it, hop by hop: `loop.py` makes one step of it, which this text refines.

Theory of operation.  cancel() of a task counts the request, and asks what the task waits for; if that is a task, it
does the same.  What is asked is pending and says yes, so nothing is left to do on the way back: the calls could as well
be one loop, and `asked` is all that there is to know of it: who is asked next, or the loop when no call is under way.
While one is, nothing else happens, as in one call of a function.  Calls that change nothing are left out.

`view` is what a state means in `specification.py`: that in which the call under way is over.  So the hops are seen as
nothing at all, and the step that begins the call as all of it.  That it is ever over is due to AWAIT-1: where tasks
await each other in a circle the hops go round for ever, as cancel() of asyncio does until its stack is full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..kit.core import Spec
from .loop import (
    Fut,
    Is,
    Loop,
    World,
    created,
    done,
    leave,
    park,
    pause,
    pending,
    reaches,
    relay,
    resolve,
    runs,
    step,
    stillborn,
    uncancel,
    waits,
)


@dataclass(frozen=True)
class Hops:
    """The state: of the loop, and who is asked next by the cancel() under way; `k.loop`: none is."""

    loop: Loop
    asked: Fut


task_hops: Spec[World, Hops] = Spec("task_hops", Hops)


def hop(k: World, s: Loop, x: Fut) -> Hops:
    """x is asked: a task counts it and asks what it waits for, or else must be cancelled; anything else is."""
    if x not in k.tasks:
        return Hops(loop=done(k, s, x, Is.CANCELLED), asked=k.loop)
    counted = replace(s, count=s.count | {x: s.count[x] + 1}, owed=s.owed | {x})
    if waits(s, x):
        return Hops(loop=counted, asked=s.on[x])
    return Hops(loop=replace(counted, must=s.must | {x}), asked=k.loop)


@task_hops.init
def quiet(k: World, s: Hops) -> bool:
    """HOP-1: No cancel() is under way; all else as in `loop.py`.  [asyncio.create_task; documented]"""
    return s.asked == k.loop and created(k, s.loop)


@task_hops.action()
def cancel(k: World, s: Hops, x: Fut) -> Iterator[Hops]:
    """HOP-2: cancel() of what is pending begins by asking it.  [asyncio.Task.cancel; documented]"""
    q = s.loop
    if s.asked == k.loop and x in k.all and pending(q, x) and all(q.count[t] < k.most for t in k.tasks):
        yield replace(s, asked=x)


@task_hops.action(fair=True, hidden=True)
def go_on(k: World, s: Hops) -> Iterator[Hops]:
    """HOP-3: Who is asked counts it and asks what it waits for, or must be cancelled, or is.
    [asyncio/tasks.py, `cancel` asks `_fut_waiter`; settled]"""
    if s.asked != k.loop:
        yield hop(k, s.loop, s.asked)


@task_hops.action()
def await_(k: World, s: Hops, t: Fut, f: Fut) -> Iterator[Hops]:
    """HOP-4: A task parks, and asks what it awaits if a request was not thrown yet; to close a circle is refused.
    [asyncio/tasks.py, `_must_cancel` in `__step`; settled]"""
    q = s.loop
    if s.asked == k.loop and runs(k, q, t) and f in k.all and pending(q, f) and not reaches(q, f, t):
        yield Hops(loop=park(k, q, t, f), asked=f if t in q.must else k.loop)


@task_hops.action()
def end(k: World, s: Hops, x: Fut, how: Is) -> Iterator[Hops]:
    """HOP-5: A future is resolved, or a coroutine ends, as in `loop.py`.
    [asyncio.Future and asyncio.Task; documented]"""
    if s.asked == k.loop:
        for q in resolve(k, s.loop, x, how):
            yield replace(s, loop=q)
        for q in leave(k, s.loop, x, how):
            yield replace(s, loop=q)


@task_hops.action()
def go_by(k: World, s: Hops, x: Fut) -> Iterator[Hops]:
    """HOP-6: uncancel() and sleep(0), as in `loop.py`.  [asyncio.Task.uncancel and asyncio.sleep; documented]"""
    if s.asked == k.loop:
        for q in uncancel(k, s.loop, x):
            yield replace(s, loop=q)
        for q in pause(k, s.loop, x):
            yield replace(s, loop=q)


@task_hops.action(fair=True)
def turn(k: World, s: Hops, x: Fut) -> Iterator[Hops]:
    """HOP-7: What the loop does, as in `loop.py`: turns, bodies that never run, shields.
    [asyncio/tasks.py, `__step`; settled]"""
    if s.asked == k.loop:
        for q in step(k, s.loop, x):
            yield replace(s, loop=q)
        for q in stillborn(k, s.loop, x):
            yield replace(s, loop=q)
        for q in relay(k, s.loop, x):
            yield replace(s, loop=q)


@task_hops.invariant
def asks_pending(k: World, s: Hops) -> bool:
    """HOP-8: Who is asked is pending, and so says yes: nothing is left to do on the way back.
    [asyncio.Future.cancel, which is False of what is done; documented]"""
    return s.asked == k.loop or pending(s.loop, s.asked)


@task_hops.step
def forward(k: World, s: Hops, t: Hops) -> bool:
    """HOP-9: Who is asked asks what it waits for, and nobody else; only tasks ask.
    [asyncio/tasks.py, `cancel`; settled]"""
    q = s.loop
    return s.asked == k.loop or t.asked == k.loop or (s.asked in k.tasks and t.asked == q.on[s.asked])


def under_way(k: World, s: Hops) -> bool:
    return s.asked != k.loop


@task_hops.leads_to(under_way)
def returns(k: World, s: Hops) -> bool:
    """HOP-10: cancel() returns.  [asyncio.Task.cancel; documented]"""
    return s.asked == k.loop


def view(k: World, s: Hops) -> Loop:
    """The state of `specification.py` that a state here means: the call that is under way is over.

    A call that does not come to its end is seen where it is after as many hops as there are futures.
    """
    for _ in k.all:
        if s.asked != k.loop:
            s = hop(k, s.loop, s.asked)
    return s.loop
