"""Finite models of nested scopes, and the symmetry of scopes of one kind.

Scopes of one kind are interchangeable: a symmetric model keeps one state of each class, the one with the scopes sorted
by their status.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from ..kit.core import Map, Spec
from ..kit.model import Model
from ..kit.symmetry import sorted_by
from .specification import At, Const, Error, Nest, Scope, scopes


def scope_model(
    timeouts: int, groups: int, most: int = 1, *, spec: Spec[Const, Nest] = scopes, symmetric: bool = False
) -> Model[Const, Nest]:
    """A task with so many timeouts, then so many groups, and at most `most` requests from outside at a time."""
    names = [Scope(n) for n in range(timeouts + groups)]
    start = Nest(
        waits=False,
        must=False,
        count=0,
        outside=0,
        error=Error.NONE,
        at=Map(dict.fromkeys(names, At.NEW)),
        before=Map(dict.fromkeys(names, 0)),
        extra=Map(dict.fromkeys(names, 0)),
        within=frozenset(),
        failed=frozenset(),
        stopped=frozenset(),
        ends=frozenset(),
    )
    k = Const(frozenset(names), frozenset(names[timeouts:]), most)
    domains: dict[object, Iterable[Hashable]] = {Scope: names}
    return Model(spec, k, (start,), domains, by_scope(k, names) if symmetric else None)


def by_scope(k: Const, names: list[Scope]) -> Callable[[Nest], Nest]:
    """Sort the timeouts, and the groups, by place and by the number of scopes that they are inside of."""

    def rank(s: Nest, x: Scope) -> tuple[bool, At, bool, int]:
        return x in k.groups, s.at[x], x in s.stopped, sum(1 for y, _ in s.within if y == x)

    return sorted_by(Nest, Scope, names, rank)
