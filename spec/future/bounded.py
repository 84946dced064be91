"""The bounded models of futures, with pinned counts; and the mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Fails, Holds, Instance, only
from ..kit.core import Spec
from . import mutants
from .models import future_model
from .specification import Box, Futures, future


def futures(number: int, callbacks: int, most: int, counts: tuple[int, int, int]) -> Holds:
    """`number` futures; `counts`: states, edges, depth."""
    return Holds(
        future,
        f"futures {number}, callbacks {callbacks}, up to {most} each",
        lambda: [future_model(number, callbacks, most)],
        Counts(1, *counts),
        live=True,
    )


def future_mutant(
    broken: str, depth: int, spec: Spec[Box, Futures] | None = None, *, number: int = 1
) -> Fails:
    """The mutant that breaks this property, or `spec`; with a `number` of futures."""
    wrong = only(spec or mutants.MUTANTS[broken], broken)
    return Fails(future, wrong.name, lambda: future_model(number, 2, 2, spec=wrong), broken, depth)


FUTURE: list[Instance] = [
    futures(1, 2, 3, (162, 704, 7)),
    future_mutant("in_order", 3, number=2),
    future_mutant("not_before", 2, number=2),
    future_mutant("not_before", 1, mutants.hasty),
    future_mutant("done_stays_done", 2, number=2),
    future_mutant("callbacks_are_deferred", 2, number=2),
    future_mutant("callbacks_within_limit", 3, number=2),
    future_mutant("ran_one", 4),
    future_mutant("frame", 3),
    future_mutant("allowed", 1),
    future_mutant("allowed", 1, mutants.strict),
    future_mutant("callbacks_are_deferred", 2, mutants.calling),
    future_mutant("due_callback_is_called", 2),
]
