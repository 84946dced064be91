"""Mutants of tasks: each has one error, which the check must find at a known depth.

Half of the errors are the ways in which asyncio, or implementations of it, lost requests to cancel: on the way through
tasks, before the first turn, between wake-up and turn, at the next await, at the return, at uncancel().  The others
break what the state of the specification means.  `hop_mutants.py` has those of cancel() hop by hop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from . import loop as right
from .loop import Const, Fut, Is, Loop, pending, runs
from .specification import task


def resolve_silently(k: Const, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: the jobs that wait are not made ready."""
    for q in right.resolve(k, s, f, how):
        yield replace(q, ready=s.ready)


def resolve_again(k: Const, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: a done future takes another result, unless it was cancelled."""
    for q in right.resolve(k, s, f, how):
        yield q if q.state[f] == Is.CANCELLED else replace(q, state=q.state | {f: how})


def resolve_at_once(k: Const, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: a job that waits runs inside the call."""
    for q in right.resolve(k, s, f, how):
        for t in q.ready - s.ready:
            yield replace(q, ready=s.ready, on=q.on | {t: t}, turn=t, got=how)
        yield q


def resolve_keeping_it_reached(k: Const, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: a done future is still reached."""
    for q in right.resolve(k, s, f, how):
        yield replace(q, chain=s.chain)


def resolve_keeping_the_way(k: Const, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: a task that waited for a done future still reaches it, though it does not reach itself."""
    for q in right.resolve(k, s, f, how):
        yield replace(q, chain=s.chain - {(f, f)})


def cancel_at_once(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: cancel() ends a task that has not begun, as if it were a future."""
    if x in s.fresh and s.turn != x:
        yield right.done(k, s, x, Is.CANCELLED)
    else:
        yield from right.cancel(k, s, x)


def cancel_stopping_there(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: a waiting task counts the request, and does not pass it on."""
    for q in right.cancel(k, s, x):
        if x in k.tasks and right.waits(s, x):
            yield replace(s, count=s.count | {x: s.count[x] + 1}, owed=s.owed | {x})
        else:
            yield q


def cancel_no_future(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: a request that is passed on to a future is counted, and the future is not cancelled."""
    for q in right.cancel(k, s, x):
        yield replace(s, count=q.count, owed=q.owed) if q.must == s.must and q.count != s.count else q


def await_reaching_nothing(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: no task reaches what a task awaits."""
    for q in right.await_(k, s, t, f):
        yield replace(q, chain=s.chain)


def relay_early(k: Const, s: Loop, o: Fut) -> Iterator[Loop]:
    """SHIELD-1: Wrong: a shield ends before its inner future does."""
    yield from right.relay(k, s, o)
    if o in k.shields and s.turn == k.loop and pending(s, o):
        yield right.done(k, s, o, Is.RESULT)


def cancel_too_late(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: between wake-up and turn a request is counted, and has no effect."""
    for q in right.cancel(k, s, x):
        woken = s.on[x] != x and not right.pending(s, s.on[x])
        yield replace(q, must=s.must) if woken else q


def cancel_counting_twice(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: a request is counted twice."""
    for q in right.cancel(k, s, x):
        yield replace(q, count=q.count | {x: q.count[x] + 1}) if q.count[x] > s.count[x] else q


def cancel_unowed(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: a task that counts a request is owed no CancelledError."""
    for q in right.cancel(k, s, x):
        yield replace(q, owed=s.owed)


def cancel_beyond(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: there may be another request while some task has counted fewer than `most`."""
    yield from right.cancel(k, s, x)
    at_most = all(s.count[t] <= k.most for t in k.tasks)
    if pending(s, x) and at_most and any(s.count[t] < k.most for t in k.tasks):
        yield from right.ask(k, s, x)


def cancel_futures_beyond(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: a future is cancelled when a task has counted all requests that the model allows."""
    yield from right.cancel(k, s, x)
    if right.plain(k, x) and pending(s, x) and any(s.count[t] == k.most for t in k.tasks):
        yield from right.ask(k, s, x)


def cancel_uncounted(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: a request is not counted."""
    for q in right.cancel(k, s, x):
        yield replace(q, count=s.count)


def cancel_through_shields(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: cancelling a shield cancels its inner future."""
    for q in right.cancel(k, s, x):
        if x in k.shields and q != s:
            yield from right.cancel(k, q, k.inner[x])
        else:
            yield q


def pause_of_the_loop(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-4: Wrong: the loop itself becomes a ready job."""
    for q in right.pause(k, s, t):
        yield replace(q, ready=q.ready | {k.loop})


def pause_forgiven(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-4: Wrong: a task that gives its turn back takes back the requests that were not thrown."""
    for q in right.pause(k, s, t):
        yield (replace(q, must=s.must - {t}, count=s.count | {t: 0}, owed=s.owed - {t}) if t in s.must else q)


def pause_reaching(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-4: Wrong: a task that gives its turn back reaches the loop."""
    for q in right.pause(k, s, t):
        yield replace(q, chain=q.chain | {(t, k.loop)})


def pause_reached(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-4: Wrong: the loop reaches a task that gives its turn back."""
    for q in right.pause(k, s, t):
        yield replace(q, chain=q.chain | {(k.loop, t)})


def pause_ending_others(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-4: Wrong: a task that gives its turn back ends one that was cancelled before it began."""
    for q in right.pause(k, s, t):
        for x in k.tasks:
            if x in s.fresh and x in s.must:
                yield right.done(k, q, x, Is.CANCELLED)
        yield q


def uncancel_below_zero(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: Wrong: one uncancel() too many is counted."""
    if t in k.tasks:
        yield replace(s, count=s.count | {t: s.count[t] - 1})


def step_looking_on(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: the running task still waits for what it awaited."""
    for q in right.step(k, s, t):
        yield replace(q, on=s.on)


def step_unbegun(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: a task that has had a turn still counts as not begun."""
    for q in right.step(k, s, t):
        yield replace(q, fresh=s.fresh)


def step_not_throwing(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: a task that must be cancelled gets the outcome of its await instead, and no CancelledError."""
    for q in right.step(k, s, t):
        yield replace(q, got=Is.RESULT) if s.on[t] == t else q


def step_throwing_for_all(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: a CancelledError that is thrown into one task is owed to no other."""
    for q in right.step(k, s, t):
        yield replace(q, owed=frozenset()) if q.got == Is.CANCELLED else q


def step_with_a_result(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: a task that awaited a plain future or a shield gets its result, cancelled or not."""
    for q in right.step(k, s, t):
        yield q if s.on[t] in k.tasks else replace(q, got=Is.RESULT)


def stillborn_as_new(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-4: Wrong: a task that never began is done, and still about to begin."""
    for q in right.stillborn(k, s, t):
        yield replace(q, fresh=s.fresh)


def stillborn_late(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-4: Wrong: a task that must be cancelled is cancelled without a turn, though it has begun."""
    if s.turn == k.loop and t in s.ready and t in s.must:
        yield right.done(k, s, t, Is.CANCELLED)


def step_into_the_unbegun(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: Wrong: CancelledError is thrown before the first line of a body."""
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
        yield from right.step(k, s, t)


def await_with_it(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: a task parks with a request that was not thrown, and does not pass it on."""
    if right.runs(k, s, t) and f in k.all and right.pending(s, f) and not right.reaches(s, f, t):
        yield replace(right.park(k, s, t, f), must=s.must)


def await_and_cancel(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: the awaited future is cancelled, though the task was not."""
    if right.runs(k, s, t) and f in k.all and right.pending(s, f) and not right.reaches(s, f, t):
        yield from right.ask(k, right.park(k, s, t, f), f)


def await_and_ask(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: an awaited task counts a request, though none was made."""
    for q in right.await_(k, s, t, f):
        yield replace(q, count=q.count | {f: q.count[f] + 1}) if f in k.tasks and t not in s.must else q


def await_done_by_any(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """FUT-4: Wrong: a task awaits a done future without the turn."""
    if t in k.tasks and not pending(s, f):
        yield s


def await_done_early(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """FUT-4: Wrong: awaiting a pending future need not suspend."""
    if runs(k, s, t):
        yield s


def await_anything(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: a task that nothing has cancelled may await a task that awaits it."""
    if right.runs(k, s, t) and right.reaches(s, f, t) and f != t and t not in s.must:
        yield right.park(k, s, t, f)
    else:
        yield from right.await_(k, s, t, f)


def await_unreached(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: only the task reaches what it awaits; the tasks that await it do not."""
    for q in right.await_(k, s, t, f):
        yield replace(
            q, chain=q.chain - {(x, f) for x in k.tasks if x != t and (x, f) not in s.chain and x != f}
        )


def leave_unheeding(k: Const, s: Loop, t: Fut, how: Is) -> Iterator[Loop]:
    """TASK-5: Wrong: a task that returns while it must be cancelled has a result."""
    if right.runs(k, s, t) and how != Is.PENDING:
        yield right.done(k, replace(s, turn=k.loop), t, how)


def leave_without_the_error(k: Const, s: Loop, t: Fut, how: Is) -> Iterator[Loop]:
    """TASK-5: Wrong: a task that must be cancelled and raises an error is cancelled."""
    yield from right.leave(k, s, t, Is.CANCELLED if how == Is.ERROR and t in s.must else how)


def leave_handing_on(k: Const, s: Loop, t: Fut, how: Is) -> Iterator[Loop]:
    """TASK-5: Wrong: a task that ends gives its turn to one that has paused."""
    for q in right.leave(k, s, t, how):
        for u in k.tasks:
            if u in s.ready and u not in s.fresh and s.on[u] == u:
                yield replace(q, ready=q.ready - {u}, turn=u)
        yield q


def leave_to_a_waiter(k: Const, s: Loop, t: Fut, how: Is) -> Iterator[Loop]:
    """TASK-5: Wrong: a task that ends gives its turn to one that awaits it."""
    for q in right.leave(k, s, t, how):
        for u in k.tasks:
            if u in q.ready and u not in s.ready:
                yield replace(
                    q, on=q.on | {u: u}, ready=q.ready - {u}, turn=u, got=q.state[t], owed=q.owed - {u}
                )
        yield q


def uncancel_counting_nothing(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: Wrong: uncancel() leaves the count as it is, unless it is the last."""
    for q in right.uncancel(k, s, t):
        yield q if q.count[t] == 0 else s


def uncancel_too_much(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: Wrong: any uncancel() withdraws a CancelledError that was not thrown."""
    for q in right.uncancel(k, s, t):
        yield replace(q, must=s.must - {t}, owed=s.owed - {x for x in k.all if x == t and x in s.must})


def uncancel_too_late(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: Wrong: the last uncancel() withdraws the CancelledError of a task that was awaited and is done."""
    for q in right.uncancel(k, s, t):
        woken = s.on[t] in k.tasks and not pending(s, s.on[t])
        yield replace(q, owed=q.owed - {t}) if woken and q.count[t] == 0 else q


def uncancel_all(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: Wrong: uncancel() takes all requests back."""
    for q in right.uncancel(k, s, t):
        yield replace(
            q,
            must=s.must - {t},
            count=s.count | {t: 0},
            owed=s.owed - {x for x in k.all if x == t and x in s.must},
        )


def uncancel_unless_none(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: Wrong: uncancel() without a request is refused."""
    if s.count[t] > 0:
        yield from right.uncancel(k, s, t)


def uncancel_and_yield(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: Wrong: uncancel() of a task ends the turn of any."""
    for q in right.uncancel(k, s, t):
        if s.turn != k.loop:
            yield replace(q, turn=k.loop, ready=q.ready | {s.turn})
        else:
            yield q


#: Other errors that break a property named below.
uncounted: Final = mutant(task, "a request is not counted", cancel=cancel_uncounted)
unowed: Final = mutant(task, "a request is owed no error", cancel=cancel_unowed)
asking: Final = mutant(task, "an awaited task counts a request", await_=await_and_ask)
as_new: Final = mutant(task, "a stillborn task is about to begin", stillborn=stillborn_as_new)
early: Final = mutant(task, "awaiting a pending future goes on", await_done=await_done_early)
reaching: Final = mutant(task, "a task reaches the loop", pause=pause_reaching)
reached: Final = mutant(task, "the loop reaches a task", pause=pause_reached)
ending_others: Final = mutant(task, "a pause ends the unbegun", pause=pause_ending_others)
forgiven: Final = mutant(task, "a pause takes requests back", pause=pause_forgiven)
for_all: Final = mutant(task, "one CancelledError is for all", step=step_throwing_for_all)
with_a_result: Final = mutant(task, "a cancelled future has a result", step=step_with_a_result)
late_stillborn: Final = mutant(task, "a begun task ends without a turn", stillborn=stillborn_late)
handing_on: Final = mutant(task, "a task that ends gives another the turn", leave=leave_handing_on)
to_a_waiter: Final = mutant(task, "a task that ends runs a waiter", leave=leave_to_a_waiter)
too_much: Final = mutant(task, "any uncancel withdraws the error", uncancel=uncancel_too_much)
too_late: Final = mutant(task, "uncancel withdraws what a task passed on", uncancel=uncancel_too_late)
nowhere: Final = mutant(task, "a request cancels no future", cancel=cancel_no_future)
unreached: Final = mutant(task, "no task reaches what is awaited", await_=await_reaching_nothing)
early_relay: Final = mutant(task, "a shield ends before its inner future", relay=relay_early)
beyond: Final = mutant(task, "a future is cancelled beyond the requests", cancel=cancel_futures_beyond)
all_back: Final = mutant(task, "uncancel takes all requests back", uncancel=uncancel_all)
#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Loop]] = {
    "no_lost_wakeup": mutant(task, "a result wakes no waiter", resolve=resolve_silently),
    "placed": mutant(task, "a running task still waits for what it awaited", step=step_looking_on),
    "newborn": mutant(task, "a running task has not begun", step=step_unbegun),
    "kept": mutant(task, "a request after the wake-up has no effect", cancel=cancel_too_late),
    "futures_only": mutant(task, "the loop is a ready job", pause=pause_of_the_loop),
    "handed_on": mutant(task, "a request is not passed on to what is awaited", await_=await_with_it),
    "counted": mutant(task, "one uncancel too many is counted", uncancel=uncancel_below_zero),
    "no_circle": mutant(task, "tasks may await each other", await_=await_anything),
    "chain_edges": mutant(task, "a done future is reached", resolve=resolve_keeping_it_reached),
    "chain_only": mutant(task, "a task that waited reaches a done future", resolve=resolve_keeping_the_way),
    "chain_order": mutant(task, "only the task itself reaches what it awaits", await_=await_unreached),
    "final": mutant(task, "a future takes another result", resolve=resolve_again),
    "deferred": mutant(task, "a result runs a job that waits for it", resolve=resolve_at_once),
    "returned": mutant(task, "a task that must be cancelled returns a result", leave=leave_unheeding),
    "own_end": mutant(task, "cancel ends an unbegun task at once", cancel=cancel_at_once),
    "forwarded": mutant(task, "whatever is awaited is cancelled", await_=await_and_cancel),
    "answered": mutant(task, "CancelledError is not thrown", step=step_not_throwing),
    "reached": mutant(task, "a request stops at a task that waits", cancel=cancel_stopping_there),
    "unbegun": mutant(task, "CancelledError is thrown before the first line", step=step_into_the_unbegun),
    "one_by_one": mutant(task, "a request is counted twice", cancel=cancel_counting_twice),
    "shielded": mutant(task, "a shield lets a request through", cancel=cancel_through_shields),
    "ended": mutant(task, "an error of the coroutine is lost", leave=leave_without_the_error),
    "goes_on": mutant(task, "a task awaits without the turn", await_done=await_done_by_any),
    "limited": mutant(task, "there are more requests than allowed", cancel=cancel_beyond),
    "withdrawn": mutant(task, "uncancel counts nothing", uncancel=uncancel_counting_nothing),
    "frame": mutant(task, "uncancel ends the turn", uncancel=uncancel_and_yield),
    "allowed": mutant(task, "uncancel needs a request", uncancel=uncancel_unless_none),
}
