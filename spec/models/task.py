"""Finite models of the loop and its tasks, and their symmetry.

Theory of operation.  Tasks are interchangeable, and so are plain futures, as long as no shield tells them apart.  Tasks
look at each other, so no order of their own sorts them: a symmetric model keeps of each class of states the one that
is least under all renamings of those that are alike in everything but whom they look at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..kit.core import Spec
from ..kit.map import Map
from ..kit.model import Model
from ..loop import Fut, Is, Loop, World
from ..task import task


def world(tasks: int, futures: int, shields: Sequence[int] = (), most: int = 1) -> World:
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
    spec: Spec[World, Loop] = task,
    symmetric: bool = False,
) -> Model[World, Loop]:
    """A loop with so many tasks and plain futures, and shields as in `world`; cancelling() goes up to `most`."""
    k = world(tasks, futures, shields, most)
    domains = {Fut: sorted(k.all), Is: list(Is)}
    return Model(spec, k, (beginning(k),), domains)


def at_rest(k: World, s: Loop) -> bool:
    """Whether the loop has nothing to do: nobody has the turn, and nobody is ready."""
    return s.turn == k.loop and not s.ready
