"""Finite models of callbacks and timers, and the symmetry of callbacks.

Callbacks are interchangeable: a symmetric model keeps one state of each class, the one with the callbacks sorted by
their status.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Final

from ..kit.core import Map, Spec
from ..kit.model import Model
from ..kit.symmetry import sorted_by
from .specification import At, Calls, Const, Handle, Thread, Time, callbacks

#: The thread of the loop.
LOOP: Final = Thread(-1)


def callback_model(
    handles: int,
    times: int,
    *,
    threads: int = 1,
    spec: Spec[Const, Calls] = callbacks,
    symmetric: bool = False,
) -> Model[Const, Calls]:
    """A loop with so many callbacks, at the times from 0 to before `times`, and so many other threads."""
    names = [Handle(n) for n in range(handles)]
    others = other_threads(threads)
    start = Calls(
        at=Map(dict.fromkeys(names, At.NEW)),
        when=Map(dict.fromkeys(names, Time(0))),
        by=Map(dict.fromkeys(names, LOOP)),
        line=frozenset(),
        batch=frozenset(),
        now=Time(0),
        asleep=False,
    )
    k = Const(frozenset(names), frozenset(others), LOOP)
    domains: dict[object, Iterable[Hashable]] = {
        Handle: names,
        Thread: others,
        Time: [Time(n) for n in range(times)],
    }
    return Model(spec, k, (start,), domains, by_handle(names) if symmetric else None)


def other_threads(number: int) -> list[Thread]:
    """So many threads beside that of the loop; a monitor knows a caller by its number, so no handle has theirs."""
    return [Thread(-2 - n) for n in range(number)]


def by_handle(names: list[Handle]) -> Callable[[Calls], Calls]:
    """Sort the callbacks by place, time, thread, iteration and number of callbacks before them in line.

    Two that are alike in all of these are timers of one time: they come after the same callbacks.
    """

    def rank(s: Calls, h: Handle) -> tuple[At, Time, Thread, bool, int]:
        return s.at[h], s.when[h], s.by[h], h in s.batch, sum(1 for _, w in s.line if w == h)

    return sorted_by(Calls, Handle, names, rank)
