"""The bounded models of futures, with pinned counts; and the mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Fails, Holds, Instance, only
from ..kit.core import Spec
from . import mutants
from .models import future_fifo_model, future_model
from .specification import Box, Futures, future


def futures(
    number: int,
    callbacks: int,
    most: int,
    counts: tuple[int, int, int],
    *,
    fifo: bool = False,
    symmetric: bool = False,
) -> Holds:
    """`number` futures; `counts`: states, edges, depth."""
    title = f"futures {number}, callbacks {callbacks}, up to {most} each" + (
        ", first in, first out" if fifo else ""
    )
    return Holds(
        future,
        title + (", up to renaming" if symmetric else ""),
        lambda: [
            future_fifo_model(number, callbacks, most)
            if fifo
            else future_model(number, callbacks, most, symmetric=symmetric)
        ],
        Counts(1, *counts),
        live=not symmetric,
    )


def future_mutant(broken: str, depth: int, spec: Spec[Box, Futures] | None = None) -> Fails:
    """The mutant that breaks this property, or `spec`."""
    wrong = only(spec or mutants.MUTANTS[broken], broken)
    return Fails(future, wrong.name, lambda: future_model(1, 2, 2, spec=wrong), broken, depth)


FUTURE: list[Instance] = [
    futures(1, 2, 3, (162, 704, 7)),
    futures(2, 1, 3, (1_156, 9_588, 14)),
    futures(2, 2, 2, (1_711, 14_160, 10), symmetric=True),
    futures(2, 1, 3, (2_290, 18_012, 14), fifo=True),
    future_mutant("in_order", 3),
    future_mutant("not_before", 2),
    future_mutant("final", 2),
    future_mutant("deferred", 2),
    future_mutant("limited", 3),
    future_mutant("frame", 3),
    future_mutant("allowed", 1),
    future_mutant("deferred", 2, mutants.calling),
    future_mutant("called", 2),
]
