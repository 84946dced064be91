"""The loop and what can be awaited: what waits for what, and what tasks may do; `specification.py`: what must hold.

Theory of operation.  Whatever can be awaited is a `Fut`: plain futures, tasks, shields.  A task and a shield are also
jobs: they look at one `Fut` (`on`; at themselves when at nothing) and are ready when it is done.  The loop gives ready
jobs their turn, one at a time and in any order; that asyncio's ready queue is first in, first out, is no other text,
but a filter on this one (`kit/fifo.py`).  What a coroutine does with its turn is free: it awaits, pauses, returns,
raises, swallows what was thrown at it by simply going on, and calls cancel, uncancel and set_result on anybody.

x reaches y when x awaits y, directly or through other tasks, all of them pending; whatever is pending reaches itself.
It follows from `on` (rules CHAIN) and makes cancel(), which implementations do hop by hop, one step; `hops.py`
takes the hops.  Tasks that await each other in a circle would reach no end, so no action closes one (AWAIT-1).

`owed` is history: the tasks that were asked to stop and have not been told yet.  With it "no request is lost" can be
said.

The first parameter of an action is the task or future that it is about; what a call is answered stands beside it
(`answer=`): cancel and resolve whether they were accepted, uncancel how many requests are left, a turn what it began
with.  `future.py` tells of one future that its callbacks run in order.

Every rule ends with [source; standing].  "asyncio.Task" is the documentation of CPython 3.13, "asyncio/tasks.py" its
source; a rule is documented, settled (what CPython does and its tests or issues rely on), or defined here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NewType

from ..kit.core import Map, Spec

Fut = NewType("Fut", int)


class Is(StrEnum):
    """What has become of a future."""

    PENDING = "pending"
    RESULT = "result"
    ERROR = "error"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class World:
    """The constants: what there is, which of it are tasks and which shields, and what each shield shields.

    `loop` has the turn when no task has it, and is no future.  `most` bounds cancelling() in finite instances only.
    `withdraws`: whether requests may be taken back; who asks and takes back for ever can keep another from its turn.
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
    """The state: of the loop, and of everything that can be awaited.

    `on` is kept from parking until the next turn: a job that looks at something done is in its wake window.
    `got`: what the last turn began with.  `fresh`: tasks whose body has not begun.  `must`: tasks at which
    CancelledError is thrown when they run next.  `count`: cancelling().  (x, y) in `chain`: x reaches y.
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


loop: Spec[World, Loop] = Spec("loop", Loop)


def pending(s: Loop, x: Fut) -> bool:
    return s.state[x] == Is.PENDING


def waits(s: Loop, x: Fut) -> bool:
    """Whether x is pending, and looks at something that is."""
    return s.on[x] != x and pending(s, x) and pending(s, s.on[x])


def runs(k: World, s: Loop, t: Fut) -> bool:
    return t in k.tasks and s.turn == t


def plain(k: World, f: Fut) -> bool:
    """Whether f is neither task nor shield: whoever holds it may resolve it."""
    return f in k.all and f not in k.tasks and f not in k.shields


def reaches(s: Loop, x: Fut, y: Fut) -> bool:
    """Whether x awaits y, perhaps through tasks, or is y; all of them are pending."""
    return (x, y) in s.chain


def ends(k: World, s: Loop, x: Fut, e: Fut) -> bool:
    """Whether e is the last that x reaches; a shield is an end: what it shields is not asked."""
    return reaches(s, x, e) and (e not in k.tasks or not waits(s, e))


def done(k: World, s: Loop, x: Fut, how: Is) -> Loop:
    """x is over: whoever waits for it becomes ready, and nobody runs now."""
    return replace(
        s,
        state=s.state | {x: how},
        ready=(s.ready | {j for j in k.all if s.on[j] == x and waits(s, j)}) - {x},
        fresh=s.fresh - {x},
        must=s.must - {x},
        chain=s.chain - {(y, x) for y in k.all},
        owed=s.owed - {x},
    )


def ask(k: World, s: Loop, x: Fut) -> Iterator[Loop]:
    """cancel() of a pending x: each task that x reaches counts it, and the end is cancelled, or a task that must be."""
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


def park(k: World, s: Loop, t: Fut, f: Fut) -> Loop:
    """t waits for f, and gives its turn back: who reaches t reaches what f does."""
    return replace(
        s,
        on=s.on | {t: f},
        turn=k.loop,
        must=s.must - {t},
        chain=s.chain | {(x, y) for x in k.all for y in k.all if reaches(s, x, t) and reaches(s, f, y)},
    )


def accepted(k: World, s: Loop, t: Loop, x: Fut) -> tuple[bool, ...]:
    """cancel() is answered at once: whether x was pending."""
    return (pending(s, x),)


def resolved(k: World, s: Loop, t: Loop, f: Fut, how: Is) -> tuple[bool, ...]:
    """Whether f was pending; if not, InvalidStateError."""
    return (pending(s, f),)


def left(k: World, s: Loop, t: Loop, x: Fut) -> tuple[int, ...]:
    """uncancel() is answered how many requests are left."""
    return (t.count[x],)


def began(k: World, s: Loop, t: Loop, x: Fut) -> tuple[Is, ...]:
    """Who gets the turn is told what came of its await."""
    return (t.got,)


def outcome(k: World, s: Loop, t: Loop, x: Fut, f: Fut) -> tuple[Is, ...]:
    """Who awaits what is done is told at once what became of it."""
    return (s.state[f],)


@loop.assume
def kinds(k: World) -> bool:
    """TASK-15: Tasks and shields are different futures, and the loop is none; no shield shields itself.
    [the meaning of this text's constants; defined]"""
    return (
        k.loop not in k.all
        and all(t in k.all and t not in k.shields for t in k.tasks)
        and all(o in k.all and k.inner[o] in k.all and k.inner[o] != o for o in k.shields)
    )


@loop.init
def created(k: World, s: Loop) -> bool:
    """TASK-16: Everything is pending, every task created and about to begin; a shield looks at what it shields.
    [asyncio.create_task, "schedule its execution"; documented]"""
    return (
        s.turn == k.loop
        and all(pending(s, x) and s.count[x] == 0 for x in k.all)
        and all((x in s.ready) == (x in k.tasks) and (x in s.fresh) == (x in k.tasks) for x in k.all)
        and all(x not in s.must and x not in s.owed for x in k.all)
        and all(s.on[x] == (k.inner[x] if x in k.shields else x) for x in k.all)
        and all(reaches(s, x, y) == (x == y) for x in k.all for y in k.all)
    )


# --- What anybody may call: the task that has the turn, or a callback of the loop ------------------------------


@loop.action(answer=resolved)
def resolve(k: World, s: Loop, f: Fut, how: Is) -> Iterator[Loop]:
    """TASK-17: A plain future that is pending gets its result or error; a done one refuses, and nothing changes.
    [asyncio.Future.set_result and set_exception; documented]"""
    if plain(k, f) and (how == Is.RESULT or how == Is.ERROR):
        if pending(s, f):
            yield done(k, s, f, how)
        else:
            yield s


@loop.action(answer=accepted)
def cancel(k: World, s: Loop, x: Fut) -> Iterator[Loop]:
    """CANCEL-1: A request goes to the end of what x awaits, and each task on the way counts it; a done x refuses.
    [asyncio.Task.cancel, and asyncio/tasks.py, where it cancels `_fut_waiter`; settled]"""
    if x in k.all:
        if not pending(s, x):
            yield s
        elif all(s.count[t] < k.most for t in k.tasks):
            yield from ask(k, s, x)


@loop.action(answer=left)
def uncancel(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-6: uncancel() takes one request back; the last one withdraws what was not thrown yet.
    [asyncio.Task.uncancel, and gh-116720; documented]"""
    if t in k.tasks and k.withdraws:
        if s.count[t] == 1 and t in s.must:
            yield replace(s, must=s.must - {t}, count=s.count | {t: 0}, owed=s.owed - {t})
        elif s.count[t] > 0:
            yield replace(s, count=s.count | {t: s.count[t] - 1})
        else:
            yield s


# --- What the loop does ----------------------------------------------------------------------------------------


@loop.action(fair=True, answer=began)
def step(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-2: A ready task gets the turn, and with it what it awaited; or CancelledError, if it must.
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


@loop.action(fair=True, hidden=True)
def stillborn(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """CANCEL-4: A task that must be cancelled before it began is cancelled, and its body never runs.
    [asyncio.Task.cancel, and CancelledError thrown into a coroutine that has not begun; settled]"""
    if s.turn == k.loop and t in k.tasks and t in s.ready and t in s.fresh and t in s.must:
        yield done(k, s, t, Is.CANCELLED)


@loop.action(fair=True, hidden=True)
def relay(k: World, s: Loop, o: Fut) -> Iterator[Loop]:
    """SHIELD-1: A shield takes over the outcome of what it shields, in a turn of its own.
    [asyncio.shield, and asyncio/tasks.py, its callback on the inner future; settled]"""
    if s.turn == k.loop and o in k.shields and o in s.ready:
        yield done(k, s, o, s.state[k.inner[o]])


# --- What a coroutine does with its turn -----------------------------------------------------------------------


@loop.action()
def await_(k: World, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """TASK-3: Awaiting something pending parks the task; a request that was not thrown yet goes to what it awaits.
    [asyncio.Task, "suspends the execution of the coroutine", and asyncio/tasks.py, `_must_cancel`; documented]"""
    if runs(k, s, t) and f in k.all and pending(s, f) and not reaches(s, f, t):
        if t in s.must:
            yield from ask(k, park(k, s, t, f), f)
        else:
            yield park(k, s, t, f)


@loop.action(answer=outcome)
def await_done(k: World, s: Loop, t: Fut, f: Fut) -> Iterator[Loop]:
    """FUT-4: Awaiting something done does not suspend: the task has its turn still, and nothing changes.
    [asyncio.Future, awaitable, and asyncio/futures.py, `__await__`; settled]"""
    if runs(k, s, t) and f in k.all and not pending(s, f):
        yield s


@loop.action(fair=True)
def pause(k: World, s: Loop, t: Fut) -> Iterator[Loop]:
    """TASK-4: sleep(0) gives up the turn, and the task is ready for the next one.  Nobody keeps its turn for ever.
    [asyncio.sleep, "Setting the delay to 0 ... to allow other tasks to run"; documented]"""
    if runs(k, s, t):
        yield replace(s, ready=s.ready | {t}, turn=k.loop)


@loop.action()
def leave(k: World, s: Loop, t: Fut, how: Is) -> Iterator[Loop]:
    """TASK-5: The coroutine returns, raises or lets CancelledError out; to return under a request is to be cancelled.
    [asyncio.Task, result, exception and cancelled, and bpo-30048; documented]"""
    if runs(k, s, t) and how != Is.PENDING:
        under = how == Is.RESULT and t in s.must
        yield done(k, replace(s, turn=k.loop), t, Is.CANCELLED if under else how)
