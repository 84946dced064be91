"""Mutants of tasks, and of cancel() hop by hop: each has one error, which the check must find at a known depth.

Half of the errors are the ways in which asyncio, or implementations of it, lost requests to cancel: on the way through
tasks, before the first turn, between wake-up and turn, at the next await, at the return, at uncancel().  The others
break what the state of the specification means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..kit.bounded import spoilt
from ..kit.core import Spec
from . import loop as loops
from .hops import Hops, hop, task_hops
from .loop import Fut, Is, Loop, World, park, pending, runs, waits
from .specification import task


def resolve_silently(k: World, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: whoever waits is not made ready."""
    for q in loops.resolve(k, s, f, how):
        yield replace(q, ready=s.ready)


def resolve_again(k: World, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: a future takes any number of results."""
    if loops.plain(k, f) and (how == Is.RESULT or how == Is.ERROR):
        yield loops.done(k, s, f, how)


def resolve_at_once(k: World, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: whoever waits runs inside the call."""
    for q in loops.resolve(k, s, f, how):
        for t in q.ready - s.ready:
            yield replace(q, ready=s.ready, on=q.on | {t: t}, turn=t, got=how)
        yield q


def resolve_keeping_it_reached(k: World, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: what is done is reached still."""
    for q in loops.resolve(k, s, f, how):
        yield replace(q, chain=s.chain)


def resolve_keeping_the_way(k: World, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: who waited for what is done reaches it still, and it does not reach itself."""
    for q in loops.resolve(k, s, f, how):
        yield replace(q, chain=s.chain - {(f, f)})


def cancel_at_once(k: World, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: cancel() ends a task, as it ends a future."""
    if x in k.all and loops.pending(s, x):
        yield loops.done(k, s, x, Is.CANCELLED)


def cancel_asking_nobody(k: World, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: a task that waits counts the request, and asks nobody."""
    if x in k.tasks and loops.waits(s, x) and s.count[x] < k.most:
        yield replace(s, count=s.count | {x: s.count[x] + 1}, owed=s.owed | {x})
    else:
        yield from loops.cancel(k, s, x)


def cancel_too_late(k: World, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: between wake-up and turn a request is counted, and comes to nothing."""
    for q in loops.cancel(k, s, x):
        woken = s.on[x] != x and not loops.pending(s, s.on[x])
        yield replace(q, must=s.must) if woken else q


def cancel_counting_twice(k: World, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: a request counts twice."""
    for q in loops.cancel(k, s, x):
        yield replace(q, count=q.count | {x: q.count[x] + 1}) if q.count[x] > s.count[x] else q


def cancel_through_shields(k: World, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: to cancel a shield cancels what it shields."""
    for q in loops.cancel(k, s, x):
        if x in k.shields and q != s:
            yield from loops.cancel(k, q, k.inner[x])
        else:
            yield q


def uncancel_below_zero(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: Wrong: one uncancel() too many is counted."""
    if t in k.tasks:
        yield replace(s, count=s.count | {t: s.count[t] - 1})


def step_looking_on(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: who has the turn looks at what it awaited."""
    for q in loops.step(k, s, t):
        yield replace(q, on=s.on)


def step_unbegun(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: who has had a turn has not begun."""
    for q in loops.step(k, s, t):
        yield replace(q, fresh=s.fresh)


def step_not_throwing(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: who must be cancelled gets what it awaited instead, and that is that."""
    for q in loops.step(k, s, t):
        yield replace(q, got=Is.RESULT) if s.on[t] == t else q


def step_into_the_unbegun(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: CancelledError is thrown at the first line of a body."""
    if s.turn == k.loop and t in k.tasks and t in s.fresh and t in s.must:
        yield replace(
            s,
            ready=s.ready - {t},
            turn=t,
            got=Is.CANCELLED,
            fresh=s.fresh - {t},
            must=s.must - {t},
            owed=s.owed - {t},
        )
    else:
        yield from loops.step(k, s, t)


def await_with_it(k: World, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: a task parks with the request that was not thrown, and asks nobody."""
    if loops.runs(k, s, t) and f in k.all and loops.pending(s, f) and not loops.reaches(s, f, t):
        yield replace(loops.park(k, s, t, f), must=s.must)


def await_and_cancel(k: World, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: what is awaited is asked to stop, though nobody asked the task."""
    if loops.runs(k, s, t) and f in k.all and loops.pending(s, f) and not loops.reaches(s, f, t):
        yield from loops.ask(k, loops.park(k, s, t, f), f)


def await_anything(k: World, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: a task may await what awaits it."""
    if loops.runs(k, s, t) and f in k.all and loops.pending(s, f) and f != t:
        yield loops.park(k, s, t, f)


def await_seen_by_nobody(k: World, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: only the task reaches what it awaits, and not who awaits the task."""
    for q in loops.await_(k, s, t, f):
        yield replace(
            q, chain=q.chain - {(x, f) for x in k.tasks if x != t and (x, f) not in s.chain and x != f}
        )


def leave_unheeding(k: World, s: Loop, t: Fut, how: Is) -> Iterator[Loop]:
    """TASK-5: Wrong: who returns under a request has returned."""
    if loops.runs(k, s, t) and how != Is.PENDING:
        yield loops.done(k, replace(s, turn=k.loop), t, how)


#: The property that each breaks, and the text with the error.
MISTAKES: dict[str, Spec[World, Loop]] = {
    "no_lost_wakeup": spoilt(task, "a result wakes nobody", resolve=resolve_silently),
    "placed": spoilt(task, "who runs looks at what it awaited", step=step_looking_on),
    "newborn": spoilt(task, "who runs has not begun", step=step_unbegun),
    "kept": spoilt(task, "a request after the wake-up comes to nothing", cancel=cancel_too_late),
    "handed_on": spoilt(task, "a request is not handed on to what is awaited", await_=await_with_it),
    "counted": spoilt(task, "one uncancel too many counts", uncancel=uncancel_below_zero),
    "no_circle": spoilt(task, "tasks may await each other", await_=await_anything),
    "chain_edges": spoilt(task, "what is done is reached", resolve=resolve_keeping_it_reached),
    "chain_only": spoilt(task, "who waited reaches what is done", resolve=resolve_keeping_the_way),
    "chain_order": spoilt(task, "only the task itself reaches what it awaits", await_=await_seen_by_nobody),
    "final": spoilt(task, "a future takes another result", resolve=resolve_again),
    "deferred": spoilt(task, "a result runs who waits for it", resolve=resolve_at_once),
    "returned": spoilt(task, "who returns under a request has returned", leave=leave_unheeding),
    "own_end": spoilt(task, "cancel ends a task at once", cancel=cancel_at_once),
    "forwarded": spoilt(task, "whatever is awaited is cancelled", await_=await_and_cancel),
    "answered": spoilt(task, "CancelledError is not thrown", step=step_not_throwing),
    "reached": spoilt(task, "a request stops at a task that waits", cancel=cancel_asking_nobody),
    "unbegun": spoilt(task, "CancelledError is thrown before the first line", step=step_into_the_unbegun),
    "one_by_one": spoilt(task, "a request counts twice", cancel=cancel_counting_twice),
    "shielded": spoilt(task, "a shield lets a request through", cancel=cancel_through_shields),
}


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
HOP_MISTAKES: Final[dict[str, Spec[World, Hops]]] = {
    "asks_pending": spoilt(task_hops, "who was woken asks what is done", go_on=ask_what_is_done),
    "forward": spoilt(task_hops, "a shield asks what it shields", go_on=ask_through_shields),
    "returns": spoilt(
        task_hops, "tasks await each other in a circle", go_on=ask_counting_to_one, await_=await_in_a_circle
    ),
}
#: It is not what `task.py` allows.
stops: Final = spoilt(task_hops, "a request stops at the first task", go_on=stop_at_tasks)
