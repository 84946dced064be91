"""Mutants of futures: each has one error, which the check must find at a known depth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ..kit.core import Spec, replace
from ..kit.mutants import mutant, only_where, unfair
from ..task.loop import Fut
from . import specification as right
from .specification import Box, Call, Futures, future

wrong = partial(mutant, future)


def is_first(k: Box, s: Futures, f: Fut) -> bool:
    """Whether the other futures are new: a property broken for the first alone is about all."""
    return all(g == f or (right.pending(s, g) and s.added[g] == ()) for g in k.all)


def add_beyond(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-3: Wrong: the first future takes one callback more than allowed while it is pending."""
    more = 1 if is_first(k, s, f) and right.pending(s, f) else 0
    yield from right.add(replace(k, most=k.most + more), s, f, c)


def add_but_the_last(k: Box, s: Futures, f: Fut, c: Call) -> Iterator[Futures]:
    """FUT-3: Wrong: the last callback that is allowed is refused."""
    yield from right.add(replace(k, most=k.most - 1), s, f, c)


def run(k: Box, s: Futures, f: Fut) -> Iterator[Futures]:
    """FUT-15: Wrong: the loop runs two callbacks at once.  The rank of `due_callback_is_called` names this action."""
    for q in right.run(k, s, f):
        if len(q.due[f]) > 0:
            yield from right.run(k, q, f)
        else:
            yield q


calling: Spec[Box, Futures] = wrong(
    "a callback added to a done future runs at once",
    add=lambda s, q, f, c: q if right.pending(s, f) else replace(q, due=s.due, ran=s.ran | {f: s.ran[f] + (c,)}),
)
#: By the property that each breaks.
MUTANTS: dict[str, Spec[Box, Futures]] = {
    "in_order": wrong(
        "callbacks of the first future run newest first",
        resolve=lambda k, s, q, f: (
            replace(q, due=q.due | {f: q.due[f][1:] + q.due[f][:1]}) if (q != s and is_first(k, s, f)) else q
        ),
    ),
    "not_before": wrong(
        "a callback added to the first done future is held",
        add=lambda k, s, q, f, c: (
            replace(s, held=s.held | {f: s.held[f] + (c,)}, added=s.added | {f: s.added[f] + (c,)})
            if is_first(k, s, f) and len(s.added[f]) < k.most
            else q
        ),
    ),
    "done_stays_done": wrong(
        "a future takes another result", resolve=lambda q, f, how: replace(q, state=q.state | {f: how})
    ),
    "callbacks_are_deferred": wrong(
        "a result runs the callbacks",
        resolve=lambda s, q, f: replace(q, due=s.due, ran=s.ran | {f: s.ran[f] + s.held[f]}),
    ),
    "callbacks_within_limit": wrong("the first future takes another callback", add=add_beyond),
    "frame": wrong(
        "a second result runs the callbacks",
        resolve=lambda s, q, f: replace(q, due=q.due | {f: ()}, ran=q.ran | {f: q.ran[f] + q.due[f]}) if q == s else q,
    ),
    "allowed": wrong("the last callback is refused", add=add_but_the_last),
    "ran_one": wrong("two callbacks run at once", run=run),
    "due_callback_is_called": unfair(future, "a callback that is due need never run", "run"),
}
#: Other errors that break properties named above.
# A done future cannot be resolved, not even in vain.
strict: Spec[Box, Futures] = wrong(
    "a done future cannot be resolved", resolve=only_where(lambda s, f: right.pending(s, f))
)
hasty: Spec[Box, Futures] = wrong(
    "a callback added to a pending future runs",
    add=lambda s, q, f, c: replace(q, held=s.held, ran=s.ran | {f: s.ran[f] + (c,)}) if right.pending(s, f) else q,
)
