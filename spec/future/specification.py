"""Futures and their callbacks: resolved once, called back later, each callback once and in order.

Each future has four sequences of callbacks: those that it holds while it is pending, those that are due (scheduled on
the loop), those that ran, and all that were added.  The loop runs due callbacks in any order between futures, and in
order for one.  A callback that was added twice is called twice.  For tasks, which `spec/task` specifies, a callback is
a turn.

The first parameter of an action is the future.  Every rule ends with [source; standing], as in `task/loop.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NewType, TypeAlias

from ..kit.core import Map, Spec, replace
from ..task.loop import Fut, Is

Call = NewType("Call", int)
Calls: TypeAlias = tuple[Call, ...]


@dataclass(frozen=True)
class Box:
    """The constants: the futures, and how many callbacks a model may add to each."""

    all: frozenset[Fut]
    most: int


@dataclass(frozen=True)
class Futures:
    """The state of every future: its status, and where its callbacks are."""

    state: Map[Fut, Is]
    held: Map[Fut, Calls]
    due: Map[Fut, Calls]
    ran: Map[Fut, Calls]
    added: Map[Fut, Calls]


future: Spec[Box, Futures] = Spec("future", Futures, universe={Fut: "all"})


def pending(s: Futures, f: Fut) -> bool:
    return s.state[f] == Is.PENDING


def resolved(k: Box, s: Futures, t: Futures, f: Fut, how: Is) -> tuple[bool, ...]:
    """Whether f was pending; if not, InvalidStateError, and cancel() is False."""
    return (pending(s, f),)


@future.assume
def some_callbacks(k: Box) -> bool:
    """FUT-20: A model allows no negative number of callbacks.
    [the meaning of this specification's constants; defined]"""
    return k.most >= 0


def may_add(k: Box, s: Futures, f: Fut, c: Call) -> bool:
    """Whether f has fewer callbacks than the model allows."""
    return len(s.held[f]) + len(s.due[f]) + len(s.ran[f]) < k.most


def is_result(k: Box, s: Futures, f: Fut, how: Is) -> bool:
    """Whether a future can end so."""
    return how != Is.PENDING


@future.init
def empty(k: Box, s: Futures) -> bool:
    """FUT-14: A new future is pending, and has no callbacks.  [asyncio.Future; documented]"""
    return all(
        pending(s, f) and s.held[f] == () and s.due[f] == () and s.ran[f] == () and s.added[f] == () for f in k.all
    )


@future.action(answer=resolved, changes="state[f] held[f] due[f]", whenever=is_result)
def resolve(k: Box, s: Futures, f: Fut, how: Is) -> Iterator[Futures]:
    """FUT-1: A pending future is resolved once, and its callbacks are due; resolving it again is refused and changes
    nothing.
    [asyncio.Future.set_result, set_exception and cancel; documented]"""
    if how != Is.PENDING:
        if pending(s, f):
            yield replace(s, state=s.state | {f: how}, held=s.held | {f: ()}, due=s.due | {f: s.held[f]})
        else:
            yield s


@future.action(changes="held[f] due[f] added[f]", whenever=may_add)
def add(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-3: A callback is held until the future is done; one that is added to a done future is due at once, and does
    not run yet.
    [asyncio.Future.add_done_callback, "scheduled with loop.call_soon()"; documented]"""
    if len(s.added[f]) < k.most:
        if pending(s, f):
            yield replace(s, held=s.held | {f: s.held[f] + (c,)}, added=s.added | {f: s.added[f] + (c,)})
        else:
            yield replace(s, due=s.due | {f: s.due[f] + (c,)}, added=s.added | {f: s.added[f] + (c,)})


@future.action(fair=True, hidden=True, changes="due[f] ran[f]")
def run(k: Box, s: Futures, f: Fut) -> Iterator[Futures]:
    """FUT-15: The loop runs the first callback that is due of a future.
    [asyncio.loop.call_soon, "called in the order in which they are registered"; documented]"""
    if len(s.due[f]) > 0:
        yield replace(s, due=s.due | {f: s.due[f][1:]}, ran=s.ran | {f: s.ran[f] + s.due[f][:1]})


@future.invariant
def in_order(k: Box, s: Futures) -> bool:
    """FUT-5: The callbacks added are those that ran, then those due, then those held: each once, in order.
    [asyncio.Future.add_done_callback, and asyncio.loop.call_soon; documented]"""
    return all(s.added[f] == s.ran[f] + s.due[f] + s.held[f] for f in k.all)


@future.invariant
def not_before(k: Box, s: Futures) -> bool:
    """FUT-16: No callback of a pending future is due or has run; a done future holds none.
    [asyncio.Future.add_done_callback, "to be run when the Future is done"; documented]"""
    return all(s.due[f] == () and s.ran[f] == () if pending(s, f) else s.held[f] == () for f in k.all)


@future.invariant
def callbacks_within_limit(k: Box, s: Futures) -> bool:
    """FUT-19: No future has more callbacks than the model allows.
    [the meaning of this specification's constants; defined]"""
    return all(len(s.added[f]) <= k.most for f in k.all)


@future.step
def done_stays_done(k: Box, s: Futures, t: Futures) -> bool:
    """FUT-17: A done future stays as it is.  [asyncio.Future, "InvalidStateError"; documented]"""
    return all(pending(s, f) or t.state[f] == s.state[f] for f in k.all)


@future.step
def callbacks_are_deferred(k: Box, s: Futures, t: Futures) -> bool:
    """FUT-2: Resolving, or adding, runs no callback: a step that runs a callback does nothing else.
    [asyncio.Future.add_done_callback, "scheduled with loop.call_soon()"; documented]"""
    return all(t.ran[f] == s.ran[f] for f in k.all) or (t.state == s.state and t.added == s.added)


@future.step_of(run)
def ran_one(k: Box, s: Futures, t: Futures, f: Fut) -> bool:
    """FUT-21: The loop runs one callback at a time.  [asyncio.loop.call_soon; documented]"""
    return len(t.ran[f]) == len(s.ran[f]) + 1


def coming(k: Box, s: Futures, f: Fut) -> bool:
    """Whether a callback is due."""
    return s.due[f] != ()


def runs_left(k: Box, s: Futures, f: Fut) -> int:
    """The callbacks of f that are due, and those that may still be added."""
    return len(s.due[f]) + max(0, k.most - len(s.added[f]))


@future.leads_to(coming, rank=runs_left, by={"run": coming})
def due_callback_is_called(k: Box, s: Futures, f: Fut) -> bool:
    """FUT-18: A callback that is due runs.  [the event loop, which runs every callback; documented]"""
    return s.due[f] == ()
