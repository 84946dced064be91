"""Helpers that make a run a function of its choices: sets that are iterated in order, and the clock of the run.

Servers keep their connections and tasks in sets of objects.  The order of a set depends on addresses.  Some libraries
read `datetime.now()`; the clock of the module `time` is virtual in a run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, MutableSet
from datetime import UTC, datetime, tzinfo
from types import ModuleType
from typing import Any, Self


class InOrder(MutableSet[Any]):
    """A set that is iterated in the order of its additions; a harness puts it in the place of a set."""

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


class Datetime(datetime):
    """A datetime that takes now() from time.time()."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return cls.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls) -> Self:
        return cls.fromtimestamp(time.time(), UTC).replace(tzinfo=None)


def follow(*modules: ModuleType) -> None:
    """Let modules that imported `datetime` by name read the clock of the run."""
    for module in modules:
        module.__dict__["datetime"] = Datetime
