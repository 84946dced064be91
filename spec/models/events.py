"""Finite models of Event, and the symmetry of its tasks."""

from __future__ import annotations

from ..events import Const, Flag, events
from ..kit.core import Spec
from ..kit.map import Map
from ..kit.model import Model
from ..locks import At, Task


def event_model(
    tasks: int, *, spec: Spec[Const, Flag] = events, symmetric: bool = False
) -> Model[Const, Flag]:
    """An event for so many tasks; a symmetric model keeps of each class the state whose tasks are sorted by place."""
    names = [Task(t) for t in range(tasks)]
    start = Flag(up=False, at=Map(dict.fromkeys(names, At.OUT)))

    def canon(s: Flag) -> Flag:
        return Flag(s.up, Map(zip(names, sorted(s.at.values()), strict=True)))

    return Model(spec, Const(frozenset(names)), (start,), {Task: names}, canon if symmetric else None)
