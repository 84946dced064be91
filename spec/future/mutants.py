"""Mutants of futures: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit.bounded import mutant
from ..kit.core import Spec, replace
from ..task.loop import Fut, Is
from . import specification as right
from .specification import Box, Call, Futures, future


def is_first(k: Box, s: Futures, f: Fut) -> bool:
    """Whether the other futures are new: what is broken for the first only shows that a property is of all."""
    return all(g == f or (right.pending(s, g) and s.added[g] == ()) for g in k.all)


def resolve_newest_first(k: Box, s: Futures, f: Fut, how: Is) -> Iterator[Futures]:
    """FUT-1: Wrong: the oldest callback of the first future is due last."""
    for q in right.resolve(k, s, f, how):
        first = q != s and is_first(k, s, f)
        yield replace(q, due=q.due | {f: q.due[f][1:] + q.due[f][:1]}) if first else q


def resolve_again(k: Box, s: Futures, f: Fut, how: Is) -> Iterator[Futures]:
    """FUT-1: Wrong: a done future takes another result."""
    for q in right.resolve(k, s, f, how):
        yield replace(q, state=q.state | {f: how})


def resolve_once(k: Box, s: Futures, f: Fut, how: Is) -> Iterator[Futures]:
    """FUT-1: Wrong: a done future cannot be resolved, not even in vain."""
    if right.pending(s, f):
        yield from right.resolve(k, s, f, how)


def resolve_calling(k: Box, s: Futures, f: Fut, how: Is) -> Iterator[Futures]:
    """FUT-1: Wrong: the callbacks run inside the call."""
    for q in right.resolve(k, s, f, how):
        yield replace(q, due=s.due, ran=s.ran | {f: s.ran[f] + s.held[f]})


def add_to_hold(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-3: Wrong: a callback that is added to the first future that is done is held."""
    if is_first(k, s, f) and len(s.added[f]) < k.most:
        yield replace(s, held=s.held | {f: s.held[f] + (c,)}, added=s.added | {f: s.added[f] + (c,)})
    else:
        yield from right.add(k, s, f, c)


def add_beyond(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-3: Wrong: the first future takes one callback more than allowed while it is pending."""
    more = 1 if is_first(k, s, f) and right.pending(s, f) else 0
    yield from right.add(replace(k, most=k.most + more), s, f, c)


def add_but_the_last(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-3: Wrong: the last callback that is allowed is refused."""
    yield from right.add(replace(k, most=k.most - 1), s, f, c)


def resolve_and_run(k: Box, s: Futures, f: Fut, how: Is) -> Iterator[Futures]:
    """FUT-1: Wrong: resolving a future that is done runs its callbacks."""
    for q in right.resolve(k, s, f, how):
        yield replace(q, due=q.due | {f: ()}, ran=q.ran | {f: q.ran[f] + q.due[f]}) if q == s else q


def add_calling(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-3: Wrong: a callback that is added to a done future runs inside the call."""
    for q in right.add(k, s, f, c):
        yield q if right.pending(s, f) else replace(q, due=s.due, ran=s.ran | {f: s.ran[f] + (c,)})


def add_at_once(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-3: Wrong: a callback that is added to a pending future runs at once."""
    for q in right.add(k, s, f, c):
        yield replace(q, held=s.held, ran=s.ran | {f: s.ran[f] + (c,)}) if right.pending(s, f) else q


def run(k: Box, s: Futures, f: Fut) -> Iterator[Futures]:
    """FUT-15: Wrong: the loop runs two callbacks at once.  The rank of `called` names this action."""
    for q in right.run(k, s, f):
        if len(q.due[f]) > 0:
            yield from right.run(k, q, f)
        else:
            yield q


def run_perhaps(k: Box, s: Futures, f: Fut) -> Iterator[Futures]:
    """FUT-15: Wrong: a callback that is due need never run."""
    yield from right.run(k, s, f)


unfair: Spec[Box, Futures] = Spec(
    "future: a callback that is due need never run", Futures, future, without=("run",)
)
unfair.action(hidden=True)(run_perhaps)

calling: Spec[Box, Futures] = mutant(
    future, "a callback added to a done future runs at once", add=add_calling
)
#: By the property that each breaks.
MUTANTS: dict[str, Spec[Box, Futures]] = {
    "in_order": mutant(
        future, "callbacks of the first future run newest first", resolve=resolve_newest_first
    ),
    "not_before": mutant(future, "a callback added to the first done future is held", add=add_to_hold),
    "final": mutant(future, "a future takes another result", resolve=resolve_again),
    "deferred": mutant(future, "a result runs the callbacks", resolve=resolve_calling),
    "limited": mutant(future, "the first future takes another callback", add=add_beyond),
    "frame": mutant(future, "a second result runs the callbacks", resolve=resolve_and_run),
    "allowed": mutant(future, "the last callback is refused", add=add_but_the_last),
    "ran_one": mutant(future, "two callbacks run at once", run=run),
    "called": unfair,
}
#: Other errors that break properties named above.
strict: Spec[Box, Futures] = mutant(future, "a done future cannot be resolved", resolve=resolve_once)
hasty: Spec[Box, Futures] = mutant(future, "a callback added to a pending future runs", add=add_at_once)
