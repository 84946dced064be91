"""Finite models of a stream, and the symmetry of its tasks.

The data sent are all tuples of up to `size` bytes of `kinds` kinds: two kinds show whether bytes change places, one
kind keeps the model small.  The tasks are interchangeable: a symmetric model keeps one state of each class, the one
with the tasks sorted by their status.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import product

from ..kit.core import Map, Spec
from ..kit.model import Model
from ..kit.symmetry import sorted_by
from .ends import At, Byte, Bytes, Const, Side, Sig, Size, Status, Stream, Task
from .specification import stream


def stream_model(
    tasks: int,
    capacity: int,
    total: int,
    *,
    kinds: int = 1,
    size: int = 2,
    faulty: bool = False,
    spec: Spec[Const, Stream] = stream,
    symmetric: bool = False,
) -> Model[Const, Stream]:
    """A stream of capacity `capacity` for `tasks` tasks; `total` and `faulty` as in Const.

    A send has 1 to `size` bytes of `kinds` kinds, a receive asks for 1 to `size`.
    """
    names = [Task(t) for t in range(tasks)]
    sizes = [Size(n) for n in range(1, size + 1)]
    nothing: Bytes = ()
    start = Stream(
        sent=(),
        flight=(),
        unread=(),
        got=(),
        lost=(),
        room=capacity,
        ended=False,
        end=False,
        resets=frozenset(),
        status=Map(dict.fromkeys(Side, Status.OPEN)),
        at=Map(dict.fromkeys(names, At.IDLE)),
        sig=Map(dict.fromkeys(names, Sig.WAIT)),
        want=Map(dict.fromkeys(names, 0)),
        rest=Map(dict.fromkeys(names, nothing)),
    )
    data = [tuple(map(Byte, xs)) for n in sizes for xs in product(range(kinds), repeat=n)]
    k = Const(frozenset(names), capacity, frozenset(sizes), total, faulty)
    domains: dict[object, Iterable[Hashable]] = {Task: names, Size: sizes, Side: list(Side), Bytes: data}
    return Model(spec, k, (start,), domains, by_task(names) if symmetric else None)


def by_task(tasks: list[Task]) -> Callable[[Stream], Stream]:
    """Sort the tasks by place, signal, bytes wanted and bytes left to send."""

    def rank(s: Stream, t: Task) -> tuple[At, Sig, int, Bytes]:
        return s.at[t], s.sig[t], s.want[t], s.rest[t]

    return sorted_by(Stream, Task, tasks, rank)
