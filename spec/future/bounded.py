"""The bounded models of futures: with pinned counts; and mutants that the check must refute."""

from __future__ import annotations

from ..kit.bounded import Counts, Fails, Holds, Instance, only
from . import mutants
from .models import future_fifo_model, future_model
from .specification import future


def futures(
    number: int,
    callbacks: int,
    most: int,
    counts: tuple[int, int, int],
    *,
    fifo: bool = False,
    symmetric: bool = False,
) -> Holds:
    """So many futures; `counts`: states, edges, depth."""
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


def wrong_future(broken: str, depth: int) -> Fails:
    """A future with the error that breaks this property."""
    spec = only(mutants.MISTAKES[broken], broken)
    return Fails(future, spec.name, lambda: future_model(1, 2, 2, spec=spec), broken, depth)


FUTURE: list[Instance] = [
    futures(1, 2, 3, (162, 704, 7)),
    futures(2, 1, 3, (1_156, 9_588, 14)),
    futures(2, 2, 2, (1_711, 14_160, 10), symmetric=True),
    futures(2, 1, 3, (2_290, 18_012, 14), fifo=True),
    wrong_future("in_order", 3),
    wrong_future("not_before", 2),
    wrong_future("final", 2),
    wrong_future("deferred", 2),
    wrong_future("called", 2),
]
