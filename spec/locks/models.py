"""Finite models of Lock, Semaphore, Condition and Event, and the symmetry of their tasks.

Tasks are interchangeable: a symmetric model keeps one state of each class, the one with the tasks sorted by their
status.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ..kit.core import Map, Spec
from ..kit.model import Model
from ..kit.symmetry import sorted_by
from .events import Const, Flag, events
from .specification import At, Kind, Permits, Task, locks


class Sort(NamedTuple):
    """The kind of primitive: see `specification.py`.  The first three below are asyncio's."""

    hand: bool
    barge: bool = False
    keeps: bool = True


LOCK: Final = Sort(hand=False)
SEMAPHORE: Final = Sort(hand=True)
CONDITION: Final = Sort(hand=True, keeps=False)
#: Newcomers may acquire before a task that was woken; asyncio's semaphores allowed it until 3.10.
BARGING_LOCK: Final = Sort(hand=False, barge=True)
BARGING_SEMAPHORE: Final = Sort(hand=True, barge=True)


def lock_model(
    tasks: int,
    permits: int,
    sort: Sort = LOCK,
    *,
    spec: Spec[Kind, Permits] = locks,
    symmetric: bool = False,
    withdraws: bool = True,
) -> Model[Kind, Permits]:
    """A primitive of that sort with `permits` permits (a condition: 0), for `tasks` tasks.

    `withdraws`: whether requests to cancel may be taken back.
    """
    names = [Task(t) for t in range(tasks)]
    start = Permits(
        free=permits,
        at=Map(dict.fromkeys(names, At.OUT)),
        held=Map(dict.fromkeys(names, 0)),
        line=frozenset(),
    )
    k = Kind(frozenset(names), permits, *sort, withdraws)
    return Model(spec, k, (start,), {Task: names}, by_task(names) if symmetric else None)


def by_task(tasks: list[Task]) -> Callable[[Permits], Permits]:
    """Sort the tasks by place, number of tasks before them in line, permits held."""

    def rank(s: Permits, t: Task) -> tuple[At, int, int]:
        return s.at[t], sum(1 for _, w in s.line if w == t), s.held[t]

    return sorted_by(Permits, Task, tasks, rank)


def event_model(
    tasks: int, *, spec: Spec[Const, Flag] = events, symmetric: bool = False, withdraws: bool = True
) -> Model[Const, Flag]:
    """An event for `tasks` tasks; a symmetric model sorts them by place.

    `withdraws`: whether requests to cancel may be taken back.
    """
    names = [Task(t) for t in range(tasks)]
    start = Flag(up=False, at=Map(dict.fromkeys(names, At.OUT)))

    def canon(s: Flag) -> Flag:
        return Flag(s.up, Map(zip(names, sorted(s.at.values()), strict=True)))

    return Model(spec, Const(frozenset(names), withdraws), (start,), {Task: names}, canon if symmetric else None)
