"""The bounded models of futures, with pinned counts; and the mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Holds, Instance, failing
from . import mutants
from .models import future_model
from .specification import future


def futures(number: int, callbacks: int, most: int, counts: tuple[int, int, int]) -> Holds:
    """`number` futures; `counts`: states, edges, depth."""
    return Holds(
        future,
        f"futures {number}, callbacks {callbacks}, up to {most} each",
        lambda: [future_model(number, callbacks, most)],
        Counts(1, *counts),
        live=True,
    )


future_mutant = failing(future, future_model, mutants.MUTANTS, futures=1, callbacks=2, most=2)


FUTURE: list[Instance] = [
    futures(1, 2, 3, (162, 704, 7)),
    future_mutant("in_order", 3, futures=2),
    future_mutant("not_before", 2, futures=2),
    future_mutant("not_before", 1, mutants.hasty),
    future_mutant("done_stays_done", 2, futures=2),
    future_mutant("callbacks_are_deferred", 2, futures=2),
    future_mutant("callbacks_within_limit", 3, futures=2),
    future_mutant("ran_one", 4),
    future_mutant("frame", 3),
    future_mutant("allowed", 1),
    future_mutant("allowed", 1, mutants.strict),
    future_mutant("callbacks_are_deferred", 2, mutants.calling),
    future_mutant("due_callback_is_called", 2),
]
