"""Finite models of the queue, and the symmetry of its tasks.

The tasks of a queue are interchangeable: renaming them turns runs into runs.  A symmetric model keeps one state of each
class: the one with the tasks sorted by their status.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from ..kit.core import Map, Spec
from ..kit.model import Model
from ..kit.symmetry import sorted_by
from .specification import At, Const, Item, Order, Queue, Sig, Task, queue


def queue_model(
    tasks: int,
    maxsize: int,
    puts: int,
    *,
    items: int = 1,
    spec: Spec[Const, Queue] = queue,
    symmetric: bool = False,
    withdraws: bool = True,
    order: Order = Order.FIFO,
    shuts: bool = False,
) -> Model[Const, Queue]:
    """A queue of capacity `maxsize` for `tasks` tasks, which put at most `puts` items of `items` kinds.

    `withdraws`: whether requests to cancel may be taken back.  `order`: which item leaves next.  `shuts`: whether
    the queue may be shut down.
    """
    names = [Task(t) for t in range(tasks)]
    nothing: tuple[Item, ...] = ()
    start = Queue(
        buf=(),
        unfinished=0,
        held=Map(dict.fromkeys(names, 0)),
        at=Map(dict.fromkeys(names, At.IDLE)),
        sig=Map(dict.fromkeys(names, Sig.WAIT)),
        carry=Map(dict.fromkeys(names, nothing)),
        line=frozenset(),
        sent=(),
        got=(),
        shut=False,
    )
    k = Const(frozenset(names), maxsize, puts, withdraws, order, shuts)
    immediate = (False, True) if shuts else ()  # without shutdowns they cost nothing
    domains: dict[object, Iterable[Hashable]] = {Task: names, Item: range(items), bool: immediate}
    return Model(spec, k, (start,), domains, by_task(names) if symmetric else None)


def by_task(tasks: list[Task]) -> Callable[[Queue], Queue]:
    """Sort the tasks by place, signal, number of tasks before them in line, items held and carried."""

    def rank(s: Queue, t: Task) -> tuple[At, Sig, int, int, tuple[Item, ...]]:
        return s.at[t], s.sig[t], sum(1 for _, w in s.line if w == t), s.held[t], s.carry[t]

    return sorted_by(Queue, Task, tasks, rank)
