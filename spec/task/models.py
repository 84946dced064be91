"""Finite models of the loop and its tasks, in any order or first in, first out, and with cancel() hop by hop; symmetry.

Tasks are interchangeable, and so are plain futures, unless a shield distinguishes them.  Tasks refer to each other, so
they cannot be sorted one by one: of all renamings of a state, a symmetric model keeps the one with the least code.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import permutations, product

from ..kit.core import Map, Spec
from ..kit.fifo import Fifo, Jobs, Queued
from ..kit.model import Model
from ..kit.symmetry import renaming
from .hops import Hops, task_hops
from .loop import Const, Fut, Is, Loop, waits
from .specification import task

#: The jobs that have a turn coming, and those that wait for something pending.
JOBS: Jobs[Const, Loop] = Jobs(
    turns=("step", "stillborn", "relay"),
    ready=lambda k, s: s.ready,
    waiting=lambda k, s: frozenset(x for x in k.all if waits(s, x)),
)


def constants(tasks: int, futures: int, shields: Sequence[int] = (), most: int = 1, withdraws: bool = True) -> Const:
    """`tasks` tasks, then `futures` plain futures, then a shield of each number in `shields`; numbered in this
    order."""
    every = [Fut(n) for n in range(tasks + futures + len(shields))]
    outer = every[tasks + futures :]
    return Const(
        all=frozenset(every),
        tasks=frozenset(every[:tasks]),
        shields=frozenset(outer),
        inner=Map({x: x for x in every}) | {o: every[x] for o, x in zip(outer, shields, strict=True)},
        loop=Fut(-1),
        most=most,
        withdraws=withdraws,
    )


def beginning(k: Const) -> Loop:
    """The state when every task is created, and nothing has happened."""
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
    spec: Spec[Const, Loop] = task,
    symmetric: bool = False,
) -> Model[Const, Loop]:
    """A loop with tasks, plain futures and shields as in `constants`; the other parameters as in Const."""
    k = constants(tasks, futures, shields, most, withdraws)
    domains: dict[object, Iterable[Hashable]] = {
        Fut: sorted(k.all),
        Is: [how for how in Is if how != Is.PENDING],
    }
    return Model(spec, k, (beginning(k),), domains, by_name(k) if symmetric else None)


def task_fifo_model(
    tasks: int,
    futures: int,
    shields: Sequence[int] = (),
    *,
    most: int = 1,
    withdraws: bool = True,
    spec: Spec[Const, Loop] = task,
    symmetric: bool = False,
) -> Fifo[Const, Loop]:
    """The same loop, with a ready queue that is first in, first out."""
    base = task_model(tasks, futures, shields, most=most, withdraws=withdraws, spec=spec)
    return Fifo(base, JOBS, queued_by_name(base.k) if symmetric else None)


def at_rest(k: Const, s: Loop) -> bool:
    """Whether the loop has nothing to do: no task has the turn, and no job is ready."""
    return s.turn == k.loop and not s.ready


# --- Symmetry --------------------------------------------------------------------------------------------------

#: Another name for everything, the loop included.
Names = dict[Fut, Fut]
#: A state of the loop under other names.
renamed = renaming(Loop, Fut)
#: A key that distinguishes states, and can be ordered.
Code = tuple[Hashable, ...]


def renamings(k: Const) -> list[Names]:
    """The renamings of tasks among themselves, and of plain futures, that keep every shield and its inner future."""
    tasks, plain = sorted(k.tasks), sorted(k.all - k.tasks - k.shields)
    same: Names = {x: x for x in [*sorted(k.shields), k.loop]}
    found = [
        same | dict(zip([*tasks, *plain], [*ts, *fs], strict=True))
        for ts, fs in product(permutations(tasks), permutations(plain))
    ]
    return [names for names in found if all(names[k.inner[o]] == k.inner[o] for o in k.shields)]


def coder(k: Const) -> Callable[[Loop, Names], Code]:
    """The code of a state under other names.  It omits the parts that are the same under all, and `chain`, which
    follows.
    """
    every = sorted(k.all)

    def code(s: Loop, names: Names) -> Code:
        parts: list[Hashable] = [()] * len(every)
        for x in every:
            flags = (x in s.ready, x in s.fresh, x in s.must, x in s.owed)
            parts[names[x]] = (s.state[x], names[s.on[x]], flags, s.count[x])
        return names[s.turn], *parts

    return code


def by_name(k: Const) -> Callable[[Loop], Loop]:
    """Map a state to the one of its class with the least code."""
    every, code = renamings(k), coder(k)

    def canon(s: Loop) -> Loop:
        best = min(every, key=lambda names: code(s, names))
        return s if best is every[0] else renamed(s, best)

    return canon


def queued_by_name(k: Const) -> Callable[[Queued[Loop]], Queued[Loop]]:
    """The same for a state with a queue."""
    every, code = renamings(k), coder(k)

    def rename(jobs: tuple[Fut, ...], names: Names) -> tuple[Fut, ...]:
        return tuple(names[x] for x in jobs)

    def canon(q: Queued[Loop]) -> Queued[Loop]:
        best = min(every, key=lambda names: (rename(q.queue, names), rename(q.line, names), code(q.below, names)))
        return q if best is every[0] else Queued(renamed(q.below, best), rename(q.queue, best), rename(q.line, best))

    return canon


def hops_model(
    tasks: int,
    futures: int,
    shields: Sequence[int] = (),
    *,
    most: int = 1,
    spec: Spec[Const, Hops] = task_hops,
    symmetric: bool = False,
) -> Model[Const, Hops]:
    """The loop of `task_model`, with cancel() hop by hop."""
    k = constants(tasks, futures, shields, most)
    domains: dict[object, Iterable[Hashable]] = {
        Fut: sorted(k.all),
        Is: [how for how in Is if how != Is.PENDING],
    }
    return Model(spec, k, (Hops(beginning(k), k.loop),), domains, hops_by_name(k) if symmetric else None)


def hops_by_name(k: Const) -> Callable[[Hops], Hops]:
    """Map a state to the one of its class with the least code."""
    every, code = renamings(k), coder(k)

    def canon(s: Hops) -> Hops:
        best = min(every, key=lambda names: (names[s.asked], code(s.loop, names)))
        return s if best is every[0] else Hops(renamed(s.loop, best), best[s.asked])

    return canon
