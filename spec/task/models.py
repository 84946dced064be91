"""Finite models of the loop and its tasks, in any order or first in, first out; and their symmetry.

Theory of operation.  Tasks are interchangeable, and so are plain futures, as long as no shield tells them apart.  Tasks
look at each other, so no order of their own sorts them: a symmetric model keeps of each class of states the one whose
code is least, of all that renaming makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations, product

from ..kit.core import Map, Spec
from ..kit.fifo import Fifo, Jobs, Queued
from ..kit.model import Model
from .hops import Hops, task_hops
from .loop import Fut, Is, Loop, World, waits
from .specification import task

#: What the loop queues: who has a turn coming, and those that look at something pending.
JOBS: Jobs[World, Loop] = Jobs(
    turns=("step", "stillborn", "relay"),
    ready=lambda k, s: s.ready,
    waiting=lambda k, s: frozenset(x for x in k.all if waits(s, x)),
)


def world(
    tasks: int, futures: int, shields: Sequence[int] = (), most: int = 1, withdraws: bool = True
) -> World:
    """So many tasks, then so many futures, then a shield of each that `shields` names; numbered in this order."""
    every = [Fut(n) for n in range(tasks + futures + len(shields))]
    outer = every[tasks + futures :]
    return World(
        all=frozenset(every),
        tasks=frozenset(every[:tasks]),
        shields=frozenset(outer),
        inner=Map({x: x for x in every}) | {o: every[x] for o, x in zip(outer, shields, strict=True)},
        loop=Fut(-1),
        most=most,
        withdraws=withdraws,
    )


def beginning(k: World) -> Loop:
    """Every task is created, and nothing has happened."""
    every = sorted(k.all)
    return Loop(
        state=Map(dict.fromkeys(every, Is.PENDING)),
        on=Map({x: k.inner[x] if x in k.shields else x for x in every}),
        ready=k.tasks,
        turn=k.loop,
        got=Is.RESULT,
        fresh=k.tasks,
        must=frozenset(),
        count=Map(dict.fromkeys(every, 0)),
        chain=frozenset((x, x) for x in every),
        owed=frozenset(),
    )


def task_model(
    tasks: int,
    futures: int,
    shields: Sequence[int] = (),
    *,
    most: int = 1,
    withdraws: bool = True,
    spec: Spec[World, Loop] = task,
    symmetric: bool = False,
) -> Model[World, Loop]:
    """A loop with so many tasks and plain futures, and shields, as in `world`; the rest as in World."""
    k = world(tasks, futures, shields, most, withdraws)
    domains: dict[object, Iterable[Hashable]] = {Fut: sorted(k.all), Is: list(Is)}
    return Model(spec, k, (beginning(k),), domains, by_name(k) if symmetric else None)


def task_fifo_model(
    tasks: int,
    futures: int,
    shields: Sequence[int] = (),
    *,
    most: int = 1,
    withdraws: bool = True,
    spec: Spec[World, Loop] = task,
    symmetric: bool = False,
) -> Fifo[World, Loop]:
    """The same loop, whose ready queue is first in, first out."""
    base = task_model(tasks, futures, shields, most=most, withdraws=withdraws, spec=spec)
    return Fifo(base, JOBS, queued_by_name(base.k) if symmetric else None)


def at_rest(k: World, s: Loop) -> bool:
    """Whether the loop has nothing to do: nobody has the turn, and nobody is ready."""
    return s.turn == k.loop and not s.ready


# --- Symmetry --------------------------------------------------------------------------------------------------

#: Another name for everything, the loop included.
Names = dict[Fut, Fut]
#: What tells states apart, and can be ordered.
Code = tuple[Hashable, ...]


def renamings(k: World) -> list[Names]:
    """Those that rename tasks and plain futures among themselves, and leave every shield what it is."""
    tasks, plain = sorted(k.tasks), sorted(k.all - k.tasks - k.shields)
    same: Names = {x: x for x in [*sorted(k.shields), k.loop]}
    found = [
        same | dict(zip([*tasks, *plain], [*ts, *fs], strict=True))
        for ts, fs in product(permutations(tasks), permutations(plain))
    ]
    return [names for names in found if all(names[k.inner[o]] == k.inner[o] for o in k.shields)]


def renamed(s: Loop, names: Names) -> Loop:
    return replace(
        s,
        state=Map({names[x]: how for x, how in s.state.items()}),
        on=Map({names[x]: names[y] for x, y in s.on.items()}),
        ready=frozenset(names[x] for x in s.ready),
        turn=names[s.turn],
        fresh=frozenset(names[x] for x in s.fresh),
        must=frozenset(names[x] for x in s.must),
        count=Map({names[x]: n for x, n in s.count.items()}),
        chain=frozenset((names[x], names[y]) for x, y in s.chain),
        owed=frozenset(names[x] for x in s.owed),
    )


def coder(k: World) -> Callable[[Loop, Names], Code]:
    """The code of a state under other names.  It leaves out what is the same under all, and `chain`, which follows."""
    every = sorted(k.all)

    def code(s: Loop, names: Names) -> Code:
        parts: list[Hashable] = [()] * len(every)
        for x in every:
            flags = (x in s.ready, x in s.fresh, x in s.must, x in s.owed)
            parts[names[x]] = (s.state[x], names[s.on[x]], flags, s.count[x])
        return names[s.turn], *parts

    return code


def by_name(k: World) -> Callable[[Loop], Loop]:
    """The state of its class with the least code."""
    every, code = renamings(k), coder(k)

    def canon(s: Loop) -> Loop:
        best = min(every, key=lambda names: code(s, names))
        return s if best is every[0] else renamed(s, best)

    return canon


def queued_by_name(k: World) -> Callable[[Queued[Loop]], Queued[Loop]]:
    """The same of a state with a queue."""
    every, code = renamings(k), coder(k)

    def rename(jobs: tuple[Fut, ...], names: Names) -> tuple[Fut, ...]:
        return tuple(names[x] for x in jobs)

    def canon(q: Queued[Loop]) -> Queued[Loop]:
        best = min(
            every, key=lambda names: (rename(q.queue, names), rename(q.line, names), code(q.below, names))
        )
        return (
            q
            if best is every[0]
            else Queued(renamed(q.below, best), rename(q.queue, best), rename(q.line, best))
        )

    return canon


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
    return Model(spec, k, (Hops(beginning(k), k.loop),), domains, hops_by_name(k) if symmetric else None)


def hops_by_name(k: World) -> Callable[[Hops], Hops]:
    """The state of its class with the least code."""
    every, code = renamings(k), coder(k)

    def canon(s: Hops) -> Hops:
        best = min(every, key=lambda names: (names[s.asked], code(s.loop, names)))
        return s if best is every[0] else Hops(renamed(s.loop, best), best[s.asked])

    return canon
