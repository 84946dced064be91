"""The loop and its awaitables: the waits, and the actions of tasks; `specification.py` has the properties.

Every awaitable is a `Fut`: plain futures, tasks, shields.  A task and a shield are also jobs: they wait for one `Fut`
(`on`; itself, if the job waits for nothing) and are ready when it is done.  The loop gives ready jobs their turn, one
at a time and in any order.  That asyncio's ready queue is first in, first out, is not another specification but a
filter on this one (`kit/fifo.py`).  A coroutine is free in its turn: it awaits, pauses, returns, raises, swallows the
error thrown into it by continuing, and calls cancel, uncancel and set_result on any task or future.

x reaches y when x awaits y, directly or through other tasks, all of them pending; a pending awaitable reaches itself.
The relation follows from `on` (rules CHAIN).  It makes one step of cancel(), which implementations do hop by hop, as
`hops.py` does.  Tasks that await each other in a circle would reach no end, so no action closes one (AWAIT-1).

`owed` is history: the tasks that were cancelled and have had no CancelledError yet.  `no_lost_request` is
about it.

The first parameter of an action is the task or future that it is about; the result that it delivers to its caller is
given beside it (`answer=`): for cancel and resolve whether they were accepted, for uncancel how many requests are left,
for a turn the outcome of the await.  That the callbacks of one future run in order is the subject of `spec/future`.

Every rule ends with [source; standing].  "asyncio.Task" is the documentation of CPython 3.15, "asyncio/tasks.py" its
source; a rule is documented, settled (CPython does so, and its tests or issues rely on it), or defined here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from ..kit.core import Map, Spec, replace

Fut = NewType("Fut", int)


class Is(StrEnum):
    """The status of a future."""

    PENDING = "pending"
    RESULT = "result"
    ERROR = "error"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Const:
    """The constants: all awaitables, the tasks and the shields among them, and the inner future of each shield.

    `loop` has the turn when no task has it; it is not a future.  `most` bounds cancelling() in finite models only.
    `withdraws`: whether requests may be taken back; a task that cancels and uncancels for ever can keep another from
    its turn.
    """

    all: frozenset[Fut]
    tasks: frozenset[Fut]
    shields: frozenset[Fut]
    inner: Map[Fut, Fut]
    loop: Fut
    most: int
    withdraws: bool


@dataclass(frozen=True)
class Loop:
    """The state of the loop, and of every awaitable.

    `on` is kept from parking until the next turn: a job with an `on` that is done was woken and has not run.  `got`:
    the outcome that the last turn began with.  `fresh`: tasks with a body that has not begun.  `must`: tasks that get
    CancelledError thrown in when they run next.  `count`: cancelling().  (x, y) in `chain`: x reaches y.
    """

    state: Map[Fut, Is]
    on: Map[Fut, Fut]
    ready: frozenset[Fut]
    turn: Fut
    got: Is
    fresh: frozenset[Fut]
    must: frozenset[Fut]
    count: Map[Fut, int]
    chain: frozenset[tuple[Fut, Fut]]
    owed: frozenset[Fut]


loop: Spec[Const, Loop] = Spec("loop", Loop, universe={Fut: "all loop"})


def pending(s: Loop, x: Fut) -> bool:
    return s.state[x] == Is.PENDING


def waits(s: Loop, x: Fut) -> bool:
    """Whether x is pending, and waits for something that is."""
    return s.on[x] != x and pending(s, x) and pending(s, s.on[x])


def runs(k: Const, s: Loop, t: Fut) -> bool:
    return t in k.tasks and s.turn == t


def plain(k: Const, f: Fut) -> bool:
    """Whether f is neither task nor shield: any caller may resolve it."""
    return f in k.all and f not in k.tasks and f not in k.shields


def reaches(s: Loop, x: Fut, y: Fut) -> bool:
    """Whether x is y or awaits it, perhaps through tasks; all of them are pending."""
    return (x, y) in s.chain


def typed(k: Const, s: Loop) -> bool:
    """Whether only futures are ready and reached."""
    return all(x in k.all for x in s.ready) and all(x in k.all and y in k.all for (x, y) in s.chain)


def ends(k: Const, s: Loop, x: Fut, e: Fut) -> bool:
    """Whether e is the last awaitable that x reaches; a shield is an end: its inner future is not cancelled."""
    return reaches(s, x, e) and (e not in k.tasks or not waits(s, e))


def done(k: Const, s: Loop, x: Fut, how: Is) -> Loop:
    """x is done: the jobs that wait for it become ready, and none of them runs now."""
    return replace(
        s,
        state=s.state | {x: how},
        ready=(s.ready | {j for j in k.all if s.on[j] == x and waits(s, j)}) - {x},
        fresh=s.fresh - {x},
        must=s.must - {x},
        chain=s.chain - {(y, x) for y in k.all},
        owed=s.owed - {x},
    )


def ask(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """cancel() of a pending x: each task that x reaches counts it; the end is cancelled or, if a task, must be."""
    asked = replace(
        s,
        count=s.count | {t: s.count[t] + 1 for t in k.tasks if reaches(s, x, t)},
        owed=s.owed | {t for t in k.tasks if reaches(s, x, t)},
    )
    for e in k.all:
        if ends(k, s, x, e):
            if e in k.tasks:
                yield replace(asked, must=s.must | {e})
            else:
                yield done(k, asked, e, Is.CANCELLED)


def park(k: Const, s: Loop, t: Fut, f: Fut) -> Loop:
    """t waits for f, and gives its turn back; every task that reaches t reaches all that f does."""
    return replace(
        s,
        on=s.on | {t: f},
        turn=k.loop,
        must=s.must - {t},
        chain=s.chain | {(x, y) for x in k.all for y in k.all if reaches(s, x, t) and reaches(s, f, y)},
    )


def accepted(k: Const, s: Loop, t: Loop, x: Fut) -> tuple[bool, ...]:
    """cancel() returns at once whether x was pending."""
    return (pending(s, x),)


def resolved(k: Const, s: Loop, t: Loop, f: Fut, how: Is) -> tuple[bool, ...]:
    """Whether f was pending; if not, InvalidStateError."""
    return (pending(s, f),)


def left(k: Const, s: Loop, t: Loop, x: Fut) -> tuple[int, ...]:
    """uncancel() returns how many requests are left."""
    return (t.count[x],)


def began(k: Const, s: Loop, t: Loop, x: Fut) -> tuple[Is, ...]:
    """A task that gets the turn receives the outcome of its await."""
    return (t.got,)


def outcome(k: Const, s: Loop, t: Loop, x: Fut, f: Fut) -> tuple[Is, ...]:
    """An await of a done future delivers its outcome at once."""
    return (s.state[f],)


def withdraws(k: Const, s: Loop, t: Fut) -> bool:
    """Whether requests to cancel t may be taken back: uncancel() is never refused."""
    return t in k.tasks and k.withdraws


@loop.assume
def kinds(k: Const) -> bool:
    """TASK-15: Tasks and shields are different futures, and the loop is no future; no shield shields itself.
    [the meaning of this specification's constants; defined]"""
    return (
        k.loop not in k.all
        and all(t in k.all and t not in k.shields for t in k.tasks)
        and all(o in k.all and k.inner[o] in k.all and k.inner[o] != o for o in k.shields)
    )


@loop.init
def created(k: Const, s: Loop) -> bool:
    """TASK-16: Every future is pending, every task is created and about to begin; a shield waits for its inner future;
    and nothing else is there.
    [asyncio.create_task, "schedule its execution"; documented]"""
    return (
        s.turn == k.loop
        and typed(k, s)
        and k.loop not in s.fresh
        and k.loop not in s.must
        and k.loop not in s.owed
        and all(pending(s, x) and s.count[x] == 0 for x in k.all)
        and all((x in s.ready) == (x in k.tasks) and (x in s.fresh) == (x in k.tasks) for x in k.all)
        and all(x not in s.must and x not in s.owed for x in k.all)
        and all(s.on[x] == (k.inner[x] if x in k.shields else x) for x in k.all)
        and all(reaches(s, x, y) == (x == y) for x in k.all for y in k.all)
    )


# --- Calls, by the task that has the turn or by a callback of the loop ------------------------------------------


def settles(k: Const, s: Loop, f: Fut, how: Is) -> bool:
    """Whether any caller may resolve f, with that outcome."""
    return plain(k, f) and (how == Is.RESULT or how == Is.ERROR)


@loop.action(answer=resolved, changes="state[f] ready chain", whenever=settles)
def resolve(k: Const, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: A plain future that is pending gets its result or error; a done one refuses, and nothing changes.
    [asyncio.Future.set_result and set_exception; documented]"""
    if plain(k, f) and (how == Is.RESULT or how == Is.ERROR):
        if pending(s, f):
            yield done(k, s, f, how)
        else:
            yield s


@loop.action(answer=accepted, changes="state ready must count chain owed")
def cancel(k: Const, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: A request goes to the end of the chain that x awaits, and each task on the way counts it; a done x
    refuses.
    [asyncio.Task.cancel, and asyncio/tasks.py, where it cancels `_fut_waiter`; settled]"""
    if x in k.all:
        if not pending(s, x):
            yield s
        elif all(s.count[t] < k.most for t in k.tasks):
            yield from ask(k, s, x)


@loop.action(answer=left, changes="must[t] count[t] owed[t]", whenever=withdraws)
def uncancel(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: uncancel() takes one request back; the last one withdraws a CancelledError that was not thrown yet.
    [asyncio.Task.uncancel, and gh-116720; documented]"""
    if t in k.tasks and k.withdraws:
        if s.count[t] == 1 and t in s.must:
            yield replace(s, must=s.must - {t}, count=s.count | {t: 0}, owed=s.owed - {t})
        elif s.count[t] > 0:
            yield replace(s, count=s.count | {t: s.count[t] - 1})
        else:
            yield s


# --- The actions of the loop -----------------------------------------------------------------------------------


@loop.action(fair=True, answer=began, changes="on[t] ready[t] turn got fresh[t] must[t] owed[t]")
def step(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: A ready task gets the turn, and with it the outcome of its await; or CancelledError, if it must be
    cancelled.
    [asyncio.Task, and asyncio/tasks.py, `__step` and `__wakeup`; settled]"""
    if s.turn == k.loop and t in k.tasks and t in s.ready and not (t in s.fresh and t in s.must):
        awaited = Is.RESULT if s.on[t] == t else s.state[s.on[t]]
        yield replace(
            s,
            on=s.on | {t: t},
            ready=s.ready - {t},
            turn=t,
            got=Is.CANCELLED if t in s.must else awaited,
            fresh=s.fresh - {t},
            must=s.must - {t},
            owed=s.owed - {t},
        )


@loop.action(fair=True, hidden=True, changes="state[t] ready fresh[t] must[t] chain owed[t]")
def stillborn(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-4: A task that must be cancelled before it began is cancelled, and its body never runs.
    [asyncio.Task.cancel, and CancelledError thrown into a coroutine that has not begun; settled]"""
    if s.turn == k.loop and t in k.tasks and t in s.ready and t in s.fresh and t in s.must:
        yield done(k, s, t, Is.CANCELLED)


@loop.action(fair=True, hidden=True, changes="state[o] ready chain")
def relay(k: Const, s: Loop, o: Fut) -> Iterator[Loop]:
    """SHIELD-1: A shield takes over the outcome of its inner future, in a turn of its own.
    [asyncio.shield, and asyncio/tasks.py, its callback on the inner future; settled]"""
    if s.turn == k.loop and o in k.shields and o in s.ready:
        yield done(k, s, o, s.state[k.inner[o]])


# --- The actions of a coroutine in its turn --------------------------------------------------------------------


@loop.action(changes="state on[t] ready turn must count chain owed")
def await_(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Awaiting a pending future parks the task; a request that was not thrown yet goes to that future.
    [asyncio.Task, "suspends the execution of the coroutine", and asyncio/tasks.py, `_must_cancel`; documented]"""
    if runs(k, s, t) and f in k.all and pending(s, f) and not reaches(s, f, t):
        if t in s.must:
            yield from ask(k, park(k, s, t, f), f)
        else:
            yield park(k, s, t, f)


@loop.action(answer=outcome, changes="")
def await_done(k: Const, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """FUT-4: Awaiting a done future does not suspend: the task still has its turn, and nothing changes.
    [asyncio.Future, awaitable, and asyncio/futures.py, `__await__`; settled]"""
    if runs(k, s, t) and not pending(s, f):
        yield s


@loop.action(fair=True, changes="ready[t] turn")
def pause(k: Const, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-4: sleep(0) gives up the turn, and the task is ready for the next one.  No task keeps its turn for ever.
    [asyncio.sleep, "Setting the delay to 0 ... to allow other tasks to run"; documented]"""
    if runs(k, s, t):
        yield replace(s, ready=s.ready | {t}, turn=k.loop)


@loop.action(changes="state[t] ready turn must[t] chain owed[t]")
def leave(k: Const, s: Loop, t: Fut, how: Is) -> Iterator[Loop]:
    """TASK-5: The coroutine returns, raises or lets CancelledError out; one that returns while it must be cancelled is
    cancelled.
    [asyncio.Task, result, exception and cancelled, and bpo-30048; documented]"""
    if runs(k, s, t) and how != Is.PENDING:
        under = how == Is.RESULT and t in s.must
        yield done(k, replace(s, turn=k.loop), t, Is.CANCELLED if under else how)
