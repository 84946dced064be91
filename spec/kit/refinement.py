"""Refinement: each step of a lower model is, through a view, a step of a higher one or a stuttering step.

A view maps the states of the lower model to those of the higher one.  If it maps every initial state to an initial one,
and every step to a step or to no change, then every run of the lower model is a run of the higher one.  So whatever
holds in all runs of the higher one holds, through the view, in the lower one, and need not be stated again.  States are
visited breadth-first, so the first step that is not allowed is one of the nearest to the start.  With a symmetry of the
lower model one state of each class is visited, and its steps are taken as they are: the higher model must have the same
symmetry.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import Any, TypeVar

from .core import Event, K, S, twice
from .model import Model
from .search import Came, LimitError, Trace, Violation, back, steps, table

L = TypeVar("L")
T = TypeVar("T", bound=Hashable)


class NotRefined(Violation):
    """The last step of `trace` (or, without a step, its initial state) is not allowed by the higher model.

    The text of the exception is the trace, and the same step as the higher model sees it.
    """

    def __init__(self, low: Model[K, S], high: Model[L, T], trace: Trace[S], seen: Trace[T]) -> None:
        super().__init__(low.spec.name, low.spec.field_names, None, trace)
        self.name = "refinement"
        last = "this step" if self.depth else "this state"
        self.args = (
            "\n".join(
                [
                    f"{low.spec.name}: the refinement of {high.spec.name} is broken after {steps(self.depth)}",
                    *table(low.spec.field_names, trace),
                    f"{high.spec.name} does not allow {last}, which it sees as",
                    *table(high.spec.field_names, seen),
                ]
            ),
        )


def refines(low: Model[K, S], high: Model[L, T], view: Callable[[K, S], T], *, limit: int = 1_000_000) -> int:
    """Check that every step of `low`, seen through `view`, is allowed by `high` or changes nothing there.

    `limit`: the most states of `low` to visit.  Returns the number of steps that do change something there: with 0 of
    them the check would say nothing.
    Raises Violation, named "refinement", with a shortest trace; LimitError.
    [Abadi and Lamport, "The Existence of Refinement Mappings"]
    """
    canon: Callable[[S], S] = low.canon or (lambda s: s)

    @cache
    def allowed(a: Any) -> frozenset[Any]:  # Any: `cache` forgets T
        return frozenset(b for _, b in high.successors(a))

    came: Came[S] = {}
    visited: set[S] = set()

    def visit(s: S, by: tuple[Event, S] | None, level: list[S]) -> None:
        if (kept := canon(s)) in visited:
            return
        if len(visited) >= limit:
            raise LimitError(f"{low.spec.name} has more than {limit:,} reachable states: the search is no proof")
        visited.add(kept)
        came[s] = by
        level.append(s)

    level: list[S] = []
    for s in low.init:
        if twice(view, low.k, s) not in high.init:
            raise NotRefined(low, high, [(None, s)], [(None, view(low.k, s))])
        visit(s, None, level)
    moves = 0
    while level:
        deeper: list[S] = []
        for s in level:
            a = twice(view, low.k, s)
            for event, t in low.successors(s):
                b = twice(view, low.k, t)
                if a != b:
                    if b not in allowed(a):
                        first, taken = back(came, s)
                        trace: Trace[S] = [(None, first), *taken, (event, t)]
                        raise NotRefined(low, high, trace, [(None, a), (event, b)])
                    moves += 1
                visit(t, (event, s), deeper)
        level = deeper
    return moves
