"""Finite models of futures and their callbacks, and the symmetry of futures.

Futures are interchangeable: a symmetric model keeps one state of each class, the one with the futures sorted by their
status and their callbacks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from ..kit.core import Map, Spec
from ..kit.fifo import Fifo, Jobs
from ..kit.model import Model
from ..kit.symmetry import sorted_by
from ..task.loop import Fut, Is
from .specification import Box, Calls, Futures, future
from .specification import Call as Callback

#: The ready queue holds a future once for each of its callbacks that is due.
JOBS: Jobs[Box, Futures] = Jobs(
    turns=("run",), ready=lambda k, s: [f for f in sorted(k.all) for _ in s.due[f]], waiting=lambda k, s: ()
)


def future_model(
    futures: int, callbacks: int, most: int, *, spec: Spec[Box, Futures] = future, symmetric: bool = False
) -> Model[Box, Futures]:
    """`futures` futures, each with at most `most` callbacks, of `callbacks` kinds."""
    names = [Fut(n) for n in range(futures)]
    nothing: Calls = ()
    none = Map(dict.fromkeys(names, nothing))
    start = Futures(Map(dict.fromkeys(names, Is.PENDING)), held=none, due=none, ran=none, added=none)
    domains: dict[object, Iterable[Hashable]] = {
        Fut: names,
        Callback: [Callback(n) for n in range(callbacks)],
        Is: [how for how in Is if how != Is.PENDING],
    }
    return Model(spec, Box(frozenset(names), most), (start,), domains, by_future(names) if symmetric else None)


def future_fifo_model(
    futures: int, callbacks: int, most: int, *, spec: Spec[Box, Futures] = future
) -> Fifo[Box, Futures]:
    """The same, but callbacks run in the order of becoming due."""
    return Fifo(future_model(futures, callbacks, most, spec=spec), JOBS)


def by_future(names: list[Fut]) -> Callable[[Futures], Futures]:
    """Sort the futures by all fields of their state."""

    def rank(s: Futures, f: Fut) -> tuple[Is, Calls, Calls, Calls, Calls]:
        return s.state[f], s.held[f], s.due[f], s.ran[f], s.added[f]

    return sorted_by(Futures, Fut, names, rank)
