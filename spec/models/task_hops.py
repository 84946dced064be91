"""Finite models of the loop in which cancel() goes hop by hop, and their symmetry, which is that of its tasks."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from ..kit.core import Spec
from ..kit.model import Model
from ..loop import Fut, Is, World
from ..task_hops import Hops, task_hops
from .task import beginning, coder, renamed, renamings, world


def hops_model(
    tasks: int,
    futures: int,
    shields: Sequence[int] = (),
    *,
    most: int = 1,
    spec: Spec[World, Hops] = task_hops,
    symmetric: bool = False,
) -> Model[World, Hops]:
    """The loop of `task_model`, with a cancel() that takes hops."""
    k = world(tasks, futures, shields, most)
    domains: dict[object, Iterable[Hashable]] = {Fut: sorted(k.all), Is: list(Is)}
    return Model(spec, k, (Hops(beginning(k), k.loop),), domains, by_name(k) if symmetric else None)


def by_name(k: World) -> Callable[[Hops], Hops]:
    """The state of its class with the least code."""
    every, code = renamings(k), coder(k)

    def canon(s: Hops) -> Hops:
        best = min(every, key=lambda names: (names[s.asked], code(s.loop, names)))
        return s if best is every[0] else Hops(renamed(s.loop, best), best[s.asked])

    return canon
