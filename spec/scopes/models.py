"""Finite models of nested scopes, and the symmetry of scopes of one kind.

Scopes of one kind are interchangeable: a symmetric model keeps one state of each class, the one with the scopes sorted
by their status.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from ..kit.core import Map, Spec, replace
from ..kit.model import Model
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

    def canon(s: Nest) -> Nest:
        def rank(x: Scope) -> tuple[bool, At, bool, int]:
            return x in k.groups, s.at[x], x in s.stopped, sum(1 for y, _ in s.within if y == x)

        order = sorted(names, key=rank)
        if order == names:
            return s
        new = dict(zip(order, names, strict=True))
        return replace(
            s,
            at=Map({new[x]: s.at[x] for x in order}),
            before=Map({new[x]: s.before[x] for x in order}),
            extra=Map({new[x]: s.extra[x] for x in order}),
            within=frozenset((new[x], new[y]) for x, y in s.within),
            failed=frozenset(new[x] for x in s.failed),
            stopped=frozenset(new[x] for x in s.stopped),
            ends=frozenset(new[x] for x in s.ends),
        )

    return canon
