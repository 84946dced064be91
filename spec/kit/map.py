"""Immutable maps: the functions in the states and constants of a specification.

Theory of operation.  A state must be hashable, so what it holds must never change.  A `Map` is a dict for whoever
reads it, at a dict's speed; whoever would change it gets a TypeError.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NoReturn, TypeVar

A = TypeVar("A", bound=Hashable)
V = TypeVar("V")


class Map(dict[A, V]):
    """An immutable total function on a finite domain; `m | {x: v}` is `m` with `v` at `x`.

    Equal maps have equal hashes, whatever the order of insertion.  Every method that would change it raises TypeError.
    """

    __slots__ = ("_hash",)
    _hash: int

    def __hash__(self) -> int:  # type: ignore[override]  # dict has None here: what never changes may be hashed
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def __or__(self, other: Mapping[A, V]) -> Map[A, V]:  # type: ignore[override]  # a Map, not a dict
        new = Map(self)
        dict.update(new, other)
        return new

    def __reduce__(self) -> tuple[type[Map[A, V]], tuple[dict[A, V]]]:
        return Map, (dict(self),)  # the default would copy item by item, through __setitem__

    def _immutable(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("a Map is immutable: write m | {key: value}")

    __setitem__ = __delitem__ = __ior__ = _immutable
    clear = pop = popitem = setdefault = update = _immutable
