"""Mutants of tasks: each has one error, which the check must find at a known depth.

Half of the errors are ways of asyncio, or of implementations of it, to lose requests to cancel: on the way through
tasks, before the first turn, between wake-up and turn, at the next await, at the return, at uncancel().  The others
break the meaning of the specification's state.  `hop_mutants.py` has those of cancel() hop by hop.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ..kit.core import Spec, replace
from ..kit.mutants import mutant, only_where
from . import loop as right
from .loop import Const, Fut, Is, Loop, pending, runs
from .specification import task

wrong = partial(mutant, task)


def resolve_at_once(k: Const, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: Wrong: a job that waits runs inside the call."""
    for q in right.resolve(k, s, f, how):
        for t in q.ready - s.ready:
            yield replace(q, ready=s.ready, on=q.on | {t: t}, turn=t, got=how)
        yield q


def relay_early(k: Const, s: Loop, o: Fut) -> Iterator[Loop]:
    """SHIELD-1: Wrong: a shield ends before its inner future does."""
    yield from right.relay(k, s, o)
    if o in k.shields and s.turn == k.loop and pending(s, o):
        yield right.done(k, s, o, Is.RESULT)


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


def cancel_through_shields(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: Wrong: cancelling a shield cancels its inner future."""
    for q in right.cancel(k, s, x):
        if x in k.shields and q != s:
            yield from right.cancel(k, q, k.inner[x])
        else:
            yield q


def pause_ending_others(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-4: Wrong: a task that gives its turn back ends one that was cancelled before it began."""
    for q in right.pause(k, s, t):
        for x in k.tasks:
            if x in s.fresh and x in s.must:
                yield right.done(k, q, x, Is.CANCELLED)
        yield q


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


def await_and_cancel(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Wrong: the awaited future is cancelled, though the task was not."""
    if right.runs(k, s, t) and f in k.all and right.pending(s, f) and not right.reaches(s, f, t):
        yield from right.ask(k, right.park(k, s, t, f), f)


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
                yield replace(q, on=q.on | {u: u}, ready=q.ready - {u}, turn=u, got=q.state[t], owed=q.owed - {u})
        yield q


#: Other errors that break a property named below.
uncounted: Final = wrong("a request is not counted", cancel=lambda s, q: replace(q, count=s.count))
unowed: Final = wrong("a request is owed no error", cancel=lambda s, q: replace(q, owed=s.owed))
asking: Final = wrong(
    "an awaited task counts a request",
    await_=lambda k, s, q, t, f: (
        replace(q, count=q.count | {f: q.count[f] + 1}) if f in k.tasks and t not in s.must else q
    ),
)
as_new: Final = wrong("a stillborn task is about to begin", stillborn=lambda s, q: replace(q, fresh=s.fresh))
early: Final = wrong("awaiting a pending future goes on", await_done=await_done_early)
reaching: Final = wrong("a task reaches the loop", pause=lambda k, q, t: replace(q, chain=q.chain | {(t, k.loop)}))
reached: Final = wrong("the loop reaches a task", pause=lambda k, q, t: replace(q, chain=q.chain | {(k.loop, t)}))
ending_others: Final = wrong("a pause ends the unbegun", pause=pause_ending_others)
# Those that were not thrown yet.
forgiven: Final = wrong(
    "a pause takes requests back",
    pause=lambda s, q, t: (
        replace(q, must=s.must - {t}, count=s.count | {t: 0}, owed=s.owed - {t}) if t in s.must else q
    ),
)
for_all: Final = wrong(
    "one CancelledError is for all",
    step=lambda q: replace(q, owed=frozenset()) if q.got == Is.CANCELLED else q,
)
# A task that awaited a plain future or a shield gets it.
with_a_result: Final = wrong(
    "a cancelled future has a result",
    step=lambda k, s, q, t: q if s.on[t] in k.tasks else replace(q, got=Is.RESULT),
)
late_stillborn: Final = wrong("a begun task ends without a turn", stillborn=stillborn_late)
handing_on: Final = wrong("a task that ends gives another the turn", leave=leave_handing_on)
to_a_waiter: Final = wrong("a task that ends runs a waiter", leave=leave_to_a_waiter)
too_much: Final = wrong(
    "any uncancel withdraws the error",
    uncancel=lambda k, s, q, t: replace(
        q, must=s.must - {t}, owed=s.owed - {x for x in k.all if x == t and x in s.must}
    ),
)
too_late: Final = wrong(
    "uncancel withdraws what a task passed on",
    uncancel=lambda k, s, q, t: (
        replace(q, owed=q.owed - {t}) if (s.on[t] in k.tasks and not pending(s, s.on[t])) and q.count[t] == 0 else q
    ),
)
nowhere: Final = wrong(
    "a request cancels no future",
    cancel=lambda s, q: replace(s, count=q.count, owed=q.owed) if q.must == s.must and q.count != s.count else q,
)
unreached: Final = wrong("no task reaches what is awaited", await_=lambda s, q: replace(q, chain=s.chain))
early_relay: Final = wrong("a shield ends before its inner future", relay=relay_early)
beyond: Final = wrong("a future is cancelled beyond the requests", cancel=cancel_futures_beyond)
all_back: Final = wrong(
    "uncancel takes all requests back",
    uncancel=lambda k, s, q, t: replace(
        q,
        must=s.must - {t},
        count=s.count | {t: 0},
        owed=s.owed - {x for x in k.all if x == t and x in s.must},
    ),
)
#: By the property that each breaks.
MUTANTS: dict[str, Spec[Const, Loop]] = {
    "no_lost_wakeup": wrong("a result wakes no waiter", resolve=lambda s, q: replace(q, ready=s.ready)),
    "no_waiting_task_runs": wrong(
        "a running task still waits for what it awaited", step=lambda s, q: replace(q, on=s.on)
    ),
    "no_await_before_begin": wrong("a running task has not begun", step=lambda s, q: replace(q, fresh=s.fresh)),
    "no_lost_request": wrong(
        "a request after the wake-up has no effect",
        cancel=lambda s, q, x: replace(q, must=s.must) if (s.on[x] != x and not right.pending(s, s.on[x])) else q,
    ),
    "futures_only": wrong("the loop is a ready job", pause=lambda k, q: replace(q, ready=q.ready | {k.loop})),
    # The task parks with a request that was not thrown.
    "handed_on": wrong(
        "a request is not passed on to what is awaited",
        await_=lambda k, s, t, f: replace(right.park(k, s, t, f), must=s.must),
    ),
    "cancelling_never_negative": wrong(
        "one uncancel too many is counted",
        uncancel=lambda s, t: replace(s, count=s.count | {t: s.count[t] - 1}),
    ),
    "no_circle": wrong("tasks may await each other", await_=await_anything),
    "chain_edges": wrong("a done future is reached", resolve=lambda s, q: replace(q, chain=s.chain)),
    "chain_only": wrong(
        "a task that waited reaches a done future",
        resolve=lambda s, q, f: replace(q, chain=s.chain - {(f, f)}),
    ),
    # The tasks that await it do not.
    "chain_order": wrong(
        "only the task itself reaches what it awaits",
        await_=lambda k, s, q, t, f: replace(
            q, chain=q.chain - {(x, f) for x in k.tasks if x != t and (x, f) not in s.chain and x != f}
        ),
    ),
    "done_stays_done": wrong(
        "a future takes another result",
        resolve=lambda q, f, how: q if q.state[f] == Is.CANCELLED else replace(q, state=q.state | {f: how}),
    ),
    "no_call_runs_a_task": wrong("a result runs a job that waits for it", resolve=resolve_at_once),
    "no_result_if_cancelled": wrong(
        "a task that must be cancelled returns a result",
        leave=lambda k, s, t, how: right.done(k, replace(s, turn=k.loop), t, how),
    ),
    "own_end": wrong(
        "cancel ends an unbegun task at once",
        cancel=lambda k, s, q, x: right.done(k, s, x, Is.CANCELLED) if x in s.fresh and s.turn != x else q,
    ),
    "only_cancelled_tasks_forward": wrong("whatever is awaited is cancelled", await_=await_and_cancel),
    # The task gets the outcome of its await instead.
    "owed_cancel_is_thrown": wrong(
        "CancelledError is not thrown", step=lambda s, q, t: replace(q, got=Is.RESULT) if s.on[t] == t else q
    ),
    # The task counts the request, and does not pass it on.
    "every_request_arrives": wrong(
        "a request stops at a task that waits",
        cancel=lambda k, s, q, x: (
            replace(s, count=s.count | {x: s.count[x] + 1}, owed=s.owed | {x})
            if x in k.tasks and right.waits(s, x)
            else q
        ),
    ),
    "begins_with_first_line": wrong("CancelledError is thrown before the first line", step=step_into_the_unbegun),
    "one_by_one": wrong(
        "a request is counted twice",
        cancel=lambda s, q, x: replace(q, count=q.count | {x: q.count[x] + 1}) if q.count[x] > s.count[x] else q,
    ),
    "shield_protects_inner": wrong("a shield lets a request through", cancel=cancel_through_shields),
    "ends_as_its_coroutine": wrong("an error of the coroutine is lost", leave=leave_without_the_error),
    "goes_on": wrong("a task awaits without the turn", await_done=await_done_by_any),
    "requests_within_limit": wrong("there are more requests than allowed", cancel=cancel_beyond),
    "uncancel_counts_one_less": wrong("uncancel counts nothing", uncancel=lambda s, q, t: q if q.count[t] == 0 else s),
    "frame": wrong(
        "uncancel ends the turn",
        uncancel=lambda k, s, q: replace(q, turn=k.loop, ready=q.ready | {s.turn}) if s.turn != k.loop else q,
    ),
    # Uncancel() without a request is refused.
    "allowed": wrong("uncancel needs a request", uncancel=only_where(lambda s, t: s.count[t] > 0)),
}
