"""Finite models of Lock, Semaphore and Condition, and the symmetry of their tasks.

Theory of operation.  A `Sort` is what kind of primitive it is; the first three are asyncio's.  Tasks are
interchangeable: a symmetric model keeps of each class of states the one in which they are sorted by what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

from ..kit.core import Map, Spec
from ..kit.model import Model
from .events import Const, Flag, events
from .specification import At, Gate, Kind, Task, locks


class Sort(NamedTuple):
    """What kind of primitive: see `spec.locks`."""

    hand: bool
    barge: bool = False
    keeps: bool = True


LOCK: Final = Sort(hand=False)
SEMAPHORE: Final = Sort(hand=True)
CONDITION: Final = Sort(hand=True, keeps=False)
#: A lock that a running task may take before a woken one; asyncio's semaphores were so until 3.10.
BARGING_LOCK: Final = Sort(hand=False, barge=True)
BARGING_SEMAPHORE: Final = Sort(hand=True, barge=True)


def lock_model(
    tasks: int,
    permits: int,
    sort: Sort = LOCK,
    *,
    spec: Spec[Kind, Gate] = locks,
    symmetric: bool = False,
) -> Model[Kind, Gate]:
    """A primitive of that sort with so many permits (a condition: 0), for so many tasks."""
    names = [Task(t) for t in range(tasks)]
    start = Gate(
        free=permits,
        at=Map(dict.fromkeys(names, At.OUT)),
        held=Map(dict.fromkeys(names, 0)),
        line=frozenset(),
    )
    k = Kind(frozenset(names), permits, *sort)
    return Model(spec, k, (start,), {Task: names}, by_task(names) if symmetric else None)


def by_task(tasks: list[Task]) -> Callable[[Gate], Gate]:
    """Sort the tasks by place, number of those before them, permits held."""

    def canon(s: Gate) -> Gate:
        def rank(t: Task) -> tuple[At, int, int]:
            return s.at[t], sum(1 for _, w in s.line if w == t), s.held[t]

        order = sorted(tasks, key=rank)
        if order == tasks:
            return s
        new = dict(zip(order, tasks, strict=True))
        return replace(
            s,
            at=Map({new[t]: s.at[t] for t in order}),
            held=Map({new[t]: s.held[t] for t in order}),
            line=frozenset((new[v], new[w]) for v, w in s.line),
        )

    return canon


def event_model(
    tasks: int, *, spec: Spec[Const, Flag] = events, symmetric: bool = False
) -> Model[Const, Flag]:
    """An event for so many tasks; a symmetric model keeps of each class the state whose tasks are sorted by place."""
    names = [Task(t) for t in range(tasks)]
    start = Flag(up=False, at=Map(dict.fromkeys(names, At.OUT)))

    def canon(s: Flag) -> Flag:
        return Flag(s.up, Map(zip(names, sorted(s.at.values()), strict=True)))

    return Model(spec, Const(frozenset(names)), (start,), {Task: names}, canon if symmetric else None)
