"""Future, Task and cancel: the properties; `loop.py` has the state and the actions.

Two things can go wrong with tasks.  A wake-up can be lost: then a task waits for something that is done already
(TASK-1).  And a request to cancel can be lost: on its way through tasks that await each other, before the first turn,
between a wake-up and the turn it leads to, or between a request and the next await.  So every task that was cancelled
is `owed` a CancelledError.  CANCEL-2 says in each state where its request is.  CANCEL-11 says how it may be discharged:
CancelledError is thrown; the last uncancel() withdraws it; the task that was awaited delivers its own outcome instead;
or it is moot because the task is done.

A job is ready at most once, because `ready` is a set; a job that is queued twice is seen under the filter that makes
the order that of asyncio (`kit/fifo.py`).  The rules CHAIN say that `chain` follows from `on`: it hides nothing.
"""

from __future__ import annotations

from ..kit.core import Spec
from .loop import (
    Const,
    Fut,
    Is,
    Loop,
    await_done,
    cancel,
    leave,
    loop,
    pending,
    reaches,
    runs,
    typed,
    uncancel,
    waits,
)

task: Spec[Const, Loop] = Spec("task", Loop, extends=loop)


# --- Invariants --------------------------------------------------------------------------------------------------


@task.invariant
def no_lost_wakeup(k: Const, s: Loop) -> bool:
    """TASK-1: A pending job is ready exactly when it waits for nothing that is pending, and does not run.
    [asyncio.Task, "When the Future is done, the execution of the wrapped coroutine resumes"; documented]"""
    return all(
        (j in s.ready) == ((j in k.tasks or j in k.shields) and pending(s, j) and s.turn != j and not waits(s, j))
        for j in k.all
    )


@task.invariant
def no_waiting_task_runs(k: Const, s: Loop) -> bool:
    """TASK-18: The turn is with the loop, or with a pending task that waits for nothing; only tasks and shields wait
    for other futures.
    [the meaning of this specification's state; defined]"""
    return all(
        s.on[x] in k.all and (s.on[x] == k.inner[x] if x in k.shields else s.on[x] == x or x in k.tasks) for x in k.all
    ) and (s.turn == k.loop or (s.turn in k.tasks and pending(s, s.turn) and s.on[s.turn] == s.turn))


@task.invariant
def futures_only(k: Const, s: Loop) -> bool:
    """TASK-23: Only futures are ready, and reached.
    [the meaning of this specification's state; defined]"""
    return typed(k, s)


@task.invariant
def no_await_before_begin(k: Const, s: Loop) -> bool:
    """TASK-19: A body that has not begun awaits nothing, and does not run.
    [asyncio.create_task; documented]"""
    return all(t in k.tasks and pending(s, t) and s.turn != t and s.on[t] == t for t in s.fresh)


@task.invariant
def no_lost_request(k: Const, s: Loop) -> bool:
    """CANCEL-2: A request is never lost: CancelledError will be thrown, or the request went to the future that the task
    awaits, which is cancelled or is a task.
    [asyncio.Task.cancel, "arranges for a CancelledError exception to be thrown"; documented]"""
    return all(
        t in k.tasks
        and pending(s, t)
        and (t in s.must or (s.on[t] != t and (s.state[s.on[t]] == Is.CANCELLED or s.on[t] in k.tasks)))
        for t in s.owed
    )


@task.invariant
def handed_on(k: Const, s: Loop) -> bool:
    """CANCEL-3: A request that was not thrown yet goes to the future that the task parks on: only a task that was
    cancelled, and waits for nothing, must be cancelled.
    [asyncio/tasks.py, `_must_cancel` in `__step`; settled]"""
    return all(t in s.owed and not waits(s, t) for t in s.must)


@task.invariant
def cancelling_never_negative(k: Const, s: Loop) -> bool:
    """CANCEL-9: cancelling() is never negative, and positive while CancelledError is still to be thrown.
    [asyncio.Task.cancelling; documented]"""
    return all(s.count[t] >= 0 and (t not in s.must or s.count[t] > 0) for t in k.tasks)


@task.invariant
def no_circle(k: Const, s: Loop) -> bool:
    """AWAIT-1: No task awaits itself, directly or through other tasks.
    [asyncio/tasks.py, "Task cannot await on itself", and here of every circle; defined]"""
    return all(x == y or not reaches(s, y, x) for (x, y) in s.chain)


@task.invariant
def chain_edges(k: Const, s: Loop) -> bool:
    """CHAIN-1: Exactly the pending futures reach themselves, and a waiting task reaches the future that it waits for.
    [the meaning of this specification's state; defined]"""
    return all(
        reaches(s, x, x) == pending(s, x) and (x not in k.tasks or not waits(s, x) or reaches(s, x, s.on[x]))
        for x in k.all
    )


@task.invariant
def chain_only(k: Const, s: Loop) -> bool:
    """CHAIN-2: If x reaches another future y, x is a waiting task, and the future that x waits for reaches y too; all
    are pending.
    [the meaning of this specification's state; defined]"""
    return all(
        pending(s, y) and (x == y or (x in k.tasks and waits(s, x) and reaches(s, s.on[x], y))) for (x, y) in s.chain
    )


@task.invariant
def chain_order(k: Const, s: Loop) -> bool:
    """CHAIN-3: If x reaches y and y reaches z, x reaches z; and of two that x reaches, one reaches the other.
    [the meaning of this specification's state; defined]"""
    return all(
        (not reaches(s, y, z) or reaches(s, x, z)) and (not reaches(s, x, z) or reaches(s, y, z) or reaches(s, z, y))
        for (x, y) in s.chain
        for z in k.all
    )


# --- Step properties ---------------------------------------------------------------------------------------------


@task.step
def done_stays_done(k: Const, s: Loop, t: Loop) -> bool:
    """TASK-20: A done future stays as it is.  [asyncio.Future; documented]"""
    return all(pending(s, x) or t.state[x] == s.state[x] for x in k.all)


@task.step
def no_call_runs_a_task(k: Const, s: Loop, t: Loop) -> bool:
    """TASK-21: A task gets the turn only from the loop, and only when it is ready: no call runs another task.
    [asyncio.loop.call_soon, by which a future calls back; documented]"""
    return s.turn == t.turn or t.turn == k.loop or (s.turn == k.loop and t.turn in s.ready)


@task.step
def no_result_if_cancelled(k: Const, s: Loop, t: Loop) -> bool:
    """CANCEL-5: A task that must be cancelled does not end with a result.
    [bpo-30048, and asyncio/tasks.py, `_must_cancel` at StopIteration; settled]"""
    return all(t.state[x] != Is.RESULT for x in s.must)


@task.step
def own_end(k: Const, s: Loop, t: Loop) -> bool:
    """CANCEL-7: cancel() never ends a task: it ends in its own turn, or before its first.
    [asyncio.Task.cancel, "does not guarantee that the Task will be cancelled"; documented]"""
    return all(
        pending(t, x) or not pending(s, x) or s.turn == x or (s.turn == k.loop and x in s.fresh and x in s.must)
        for x in k.tasks
    )


@task.step
def only_cancelled_tasks_forward(k: Const, s: Loop, t: Loop) -> bool:
    """CANCEL-8: Where the turn changes, others are cancelled only by a task that gives it back and must itself be
    cancelled.
    [asyncio/tasks.py, `__step`; settled]"""
    return (
        s.turn == t.turn
        or s.turn in s.must
        or all(t.count[x] <= s.count[x] and (x == s.turn or t.state[x] == s.state[x]) for x in k.all)
    )


@task.step
def owed_cancel_is_thrown(k: Const, s: Loop, t: Loop) -> bool:
    """CANCEL-11: A CancelledError is owed until it is thrown, or is moot because the task is done; or the last
    uncancel() withdraws it, or the task that was awaited ends with its own outcome.
    [asyncio.Task.cancel and uncancel; documented]"""
    return all(
        x in t.owed
        or not pending(t, x)
        or (t.turn == x and t.got == Is.CANCELLED)
        or (t.count[x] == 0 and x in s.must and s.turn == t.turn)
        or (t.turn == x and s.on[x] in k.tasks and not pending(s, s.on[x]))
        for x in s.owed
    )


@task.step
def every_request_arrives(k: Const, s: Loop, t: Loop) -> bool:
    """CANCEL-12: A task that counts a request reaches a task that must now be cancelled, or a future that is cancelled.
    [asyncio.Task.cancel; documented]"""
    return all(
        t.count[x] <= s.count[x]
        or any(
            reaches(t, x, e) and e in t.must if e in k.tasks else reaches(s, x, e) and t.state[e] == Is.CANCELLED
            for e in k.all
        )
        for x in k.tasks
    )


@task.step
def begins_with_first_line(k: Const, s: Loop, t: Loop) -> bool:
    """CANCEL-13: A body begins with its first line, never with CancelledError.
    [asyncio.Task.cancel, and a coroutine that has not begun; settled]"""
    return t.turn not in s.fresh or t.got == Is.RESULT


@task.step
def one_by_one(k: Const, s: Loop, t: Loop) -> bool:
    """CANCEL-14: cancelling() moves by one, and rises only with a request.
    [asyncio.Task.cancelling and uncancel; documented]"""
    return all(s.count[x] - 1 <= t.count[x] and t.count[x] <= s.count[x] + (1 if x in t.owed else 0) for x in k.tasks)


@task.step
def shield_protects_inner(k: Const, s: Loop, t: Loop) -> bool:
    """SHIELD-2: Cancelling a shield does not affect its inner future; otherwise the shield ends as that did, in a turn
    of the loop.
    [asyncio.shield, "the Task running in something() is not cancelled"; documented]"""
    return all(
        t.state[o] == s.state[o]
        or (
            t.state[k.inner[o]] == s.state[k.inner[o]]
            and (t.state[o] == Is.CANCELLED or (s.turn == k.loop and t.state[o] == s.state[k.inner[o]]))
        )
        for o in k.shields
    )


@task.step_of(cancel)
def requests_within_limit(k: Const, s: Loop, t: Loop, x: Fut) -> bool:
    """CANCEL-16: A pending awaitable is cancelled only while every task has counted fewer requests than the model
    allows.
    [the meaning of this specification's constants; defined]"""
    return not pending(s, x) or all(s.count[u] < k.most for u in k.tasks)


@task.step_of(uncancel)
def uncancel_counts_one_less(k: Const, s: Loop, t: Loop, x: Fut) -> bool:
    """CANCEL-15: uncancel() counts one request less, if there is one; the last one takes back a request that was not
    thrown yet.
    [asyncio.Task.uncancel, and gh-116720; documented]"""
    last = s.count[x] == 1
    return t.count[x] == max(s.count[x] - 1, 0) and (x in t.must) == (x in s.must and not last)


@task.step_of(leave)
def ends_as_its_coroutine(k: Const, s: Loop, t: Loop, x: Fut, how: Is) -> bool:
    """TASK-24: A task ends as its coroutine does, with a result, an error or cancelled, unless it must be cancelled and
    the coroutine returns.
    [asyncio.Task, result, exception and cancelled; documented]"""
    return t.state[x] == how or (how == Is.RESULT and x in s.must)


@task.step_of(await_done)
def goes_on(k: Const, s: Loop, t: Loop, x: Fut, f: Fut) -> bool:
    """AWAIT-2: Only the task that has the turn awaits, and goes on at once only if the future is done.
    [asyncio/futures.py, `__await__`; settled]"""
    return runs(k, s, x) and not pending(s, f)


def due(k: Const, s: Loop, j: Fut) -> bool:
    """Whether j has a turn coming."""
    return j in s.ready


@task.leads_to(due)
def ready_job_gets_its_turn(k: Const, s: Loop, j: Fut) -> bool:
    """TASK-22: A ready job gets its turn if turns come first in, first out and no request is taken back.  Where turns
    come in any order it need not.
    [asyncio.loop.call_soon, "called in the order in which they are registered"; documented]"""
    return j not in s.ready
