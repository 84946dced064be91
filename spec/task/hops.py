"""cancel() as implementations do it, hop by hop: this specification refines `loop.py`, where it is one step.

cancel() of a task counts the request, and cancels the future that the task waits for; if that is a task, it does the
same.  The one that is cancelled is pending and accepts, so nothing is left to do on the way back: the calls could as
well be one loop, and `asked` is all its state: the future to be cancelled next, or the loop when no call is in
progress.  While one is, nothing else happens, as within one call of a function.  Calls that change nothing are left
out.

`view` maps a state to the one of `loop.py` where the call in progress has finished.  So the first step of a call is
seen as all of it, and the hops as stuttering.  The call finishes because of AWAIT-1: where tasks await each other in a
circle the hops would go round for ever, as cancel() of asyncio does until its stack is full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..kit.core import Spec, replace
from .loop import (
    Const,
    Fut,
    Is,
    Loop,
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
    """The state of the loop, and the future that the cancel() in progress cancels next; `k.loop`: there is none."""

    loop: Loop
    asked: Fut


task_hops: Spec[Const, Hops] = Spec("task_hops", Hops, universe={Fut: "all loop"})


def hop(k: Const, s: Loop, x: Fut) -> Hops:
    """x is cancelled: a task counts it and cancels the future that it waits for, or else must be cancelled; a future
    is.
    """
    if x not in k.tasks:
        return Hops(loop=done(k, s, x, Is.CANCELLED), asked=k.loop)
    counted = replace(s, count=s.count | {x: s.count[x] + 1}, owed=s.owed | {x})
    if waits(s, x):
        return Hops(loop=counted, asked=s.on[x])
    return Hops(loop=replace(counted, must=s.must | {x}), asked=k.loop)


@task_hops.init
def quiet(k: Const, s: Hops) -> bool:
    """HOP-1: No cancel() is in progress; all else as in `loop.py`.  [asyncio.create_task; documented]"""
    return s.asked == k.loop and created(k, s.loop)


@task_hops.action(changes="asked")
def cancel(k: Const, s: Hops, x: Fut) -> Iterator[Hops]:
    """HOP-2: cancel() of a pending future begins with that future.  [asyncio.Task.cancel; documented]"""
    q = s.loop
    if s.asked == k.loop and x in k.all and pending(q, x) and all(q.count[t] < k.most for t in k.tasks):
        yield replace(s, asked=x)


@task_hops.action(fair=True, hidden=True, changes="loop asked")
def go_on(k: Const, s: Hops) -> Iterator[Hops]:
    """HOP-3: A task counts the request and cancels the future that it waits for, or else must be cancelled; a future is
    cancelled.
    [asyncio/tasks.py, `cancel` cancels `_fut_waiter`; settled]"""
    if s.asked != k.loop:
        yield hop(k, s.loop, s.asked)


@task_hops.action(changes="loop asked")
def await_(k: Const, s: Hops, t: Fut, f: Fut) -> Iterator[Hops]:
    """HOP-4: A task parks, and cancels the future that it awaits if a request was not thrown yet; closing a circle is
    refused.
    [asyncio/tasks.py, `_must_cancel` in `__step`; settled]"""
    q = s.loop
    if s.asked == k.loop and runs(k, q, t) and f in k.all and pending(q, f) and not reaches(q, f, t):
        yield Hops(loop=park(k, q, t, f), asked=f if t in q.must else k.loop)


@task_hops.action(changes="loop")
def end(k: Const, s: Hops, x: Fut, how: Is) -> Iterator[Hops]:
    """HOP-5: A future is resolved, or a coroutine ends, as in `loop.py`.
    [asyncio.Future and asyncio.Task; documented]"""
    if s.asked == k.loop:
        for q in resolve(k, s.loop, x, how):
            yield replace(s, loop=q)
        for q in leave(k, s.loop, x, how):
            yield replace(s, loop=q)


@task_hops.action(changes="loop")
def go_by(k: Const, s: Hops, x: Fut) -> Iterator[Hops]:
    """HOP-6: uncancel() and sleep(0), as in `loop.py`.  [asyncio.Task.uncancel and asyncio.sleep; documented]"""
    if s.asked == k.loop:
        for q in uncancel(k, s.loop, x):
            yield replace(s, loop=q)
        for q in pause(k, s.loop, x):
            yield replace(s, loop=q)


@task_hops.action(fair=True, changes="loop")
def turn(k: Const, s: Hops, x: Fut) -> Iterator[Hops]:
    """HOP-7: The steps of the loop, as in `loop.py`: turns, bodies that never run, shields.
    [asyncio/tasks.py, `__step`; settled]"""
    if s.asked == k.loop:
        for q in step(k, s.loop, x):
            yield replace(s, loop=q)
        for q in stillborn(k, s.loop, x):
            yield replace(s, loop=q)
        for q in relay(k, s.loop, x):
            yield replace(s, loop=q)


@task_hops.step
def request_follows_the_wait(k: Const, s: Hops, t: Hops) -> bool:
    """HOP-9: A request goes on only from a task, and only to the future that the task waits for.
    [asyncio/tasks.py, `cancel`; settled]"""
    q = s.loop
    return s.asked == k.loop or t.asked == k.loop or (s.asked in k.tasks and t.asked == q.on[s.asked])


@task_hops.step_of(cancel)
def requests_within_limit(k: Const, s: Hops, t: Hops, x: Fut) -> bool:
    """HOP-11: A request is made only while every task has counted fewer than the model allows.
    [the meaning of this specification's constants; defined]"""
    q = s.loop
    return all(q.count[u] < k.most for u in k.tasks)


def under_way(k: Const, s: Hops) -> bool:
    return s.asked != k.loop


@task_hops.leads_to(under_way)
def cancel_returns(k: Const, s: Hops) -> bool:
    """HOP-10: cancel() returns.  [asyncio.Task.cancel; documented]"""
    return s.asked == k.loop


def view(k: Const, s: Hops) -> Loop:
    """The state of `loop.py` where the call in progress has finished.

    A call that does not finish is seen where it is after as many hops as there are futures.
    """
    for _ in k.all:
        if s.asked != k.loop:
            s = hop(k, s.loop, s.asked)
    return s.loop
