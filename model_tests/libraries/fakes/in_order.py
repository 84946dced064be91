"""A set that is iterated in the order of its additions.

Servers keep their connections and tasks in sets of objects.  The order of a set depends on addresses, so a run would be
no function of its choices.  A harness puts this in the place of such a set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet
from typing import Any


class InOrder(MutableSet[Any]):
    """A set in order."""

    def __init__(self, elements: Iterable[Any] = ()) -> None:
        self._elements = dict.fromkeys(elements)

    def __contains__(self, element: object) -> bool:
        return element in self._elements

    def __iter__(self) -> Iterator[Any]:
        return iter(self._elements)

    def __len__(self) -> int:
        return len(self._elements)

    def add(self, element: Any) -> None:
        self._elements[element] = None

    def discard(self, element: Any) -> None:
        self._elements.pop(element, None)

    def copy(self) -> InOrder:
        return InOrder(self._elements)

    def update(self, elements: Iterable[Any]) -> None:
        self._elements.update(dict.fromkeys(elements))
