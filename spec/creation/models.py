"""Finite models of the creation of tasks, and the symmetry of tasks.

Tasks are interchangeable: a symmetric model keeps one state of each class, the one with the tasks sorted by their
status.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Final

from ..kit.core import Map, Spec
from ..kit.model import Model
from ..kit.symmetry import sorted_by
from .specification import At, Births, Const, Task, creation

#: No task: the loop and its callbacks.
LOOP: Final = Task(-1)


def creation_model(
    tasks: int, *, eager: bool, spec: Spec[Const, Births] = creation, symmetric: bool = False
) -> Model[Const, Births]:
    """A loop, with eager start or without, for so many tasks."""
    names = [Task(t) for t in range(tasks)]
    start = Births(
        at=Map(dict.fromkeys([*names, LOOP], At.NEW)),
        begun=frozenset(),
        must=frozenset(),
        under=Map(dict.fromkeys([*names, LOOP], LOOP)),
        current=LOOP,
        started=False,
    )
    domains: dict[object, Iterable[Hashable]] = {Task: names}
    return Model(spec, Const(frozenset(names), eager, LOOP), (start,), domains, by_task(names) if symmetric else None)


def by_task(names: list[Task]) -> Callable[[Births], Births]:
    """Sort the tasks by place, by history, and by how many steps theirs is inside of."""

    def depth(s: Births, t: Task) -> int:
        return 0 if t == LOOP or s.at[t] != At.RUNS else 1 + depth(s, s.under[t])

    def rank(s: Births, t: Task) -> tuple[At, bool, bool, int]:
        return s.at[t], t in s.begun, t in s.must, depth(s, t)

    return sorted_by(Births, Task, names, rank)
