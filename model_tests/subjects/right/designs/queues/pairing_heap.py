"""A priority queue on a pairing heap, where of equal entries the newest comes first, as does the newest waiter.

The documentation says "retrieves entries in priority order (lowest first)", and nothing about equal entries.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ..queue_ledger import Ledger, T

# A node: an entry, and the nodes below it.
Node = tuple[Any, list[Any]]


def melded(older: Node | None, newer: Node) -> Node:
    if older is None:
        return newer
    top, below = (older, newer) if older[0] < newer[0] else (newer, older)
    top[1].append(below)
    return top


class PriorityQueue(Ledger[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._top: Node | None = None
        self._count = 0
        self._lines: tuple[list[asyncio.Event], list[asyncio.Event]] = ([], [])

    def qsize(self) -> int:
        return self._count

    def _add(self, item: T) -> None:
        self._top = melded(self._top, (item, []))
        self._count += 1

    def _take(self) -> T:
        assert self._top is not None
        item, below = self._top
        pairs = [
            melded(*below[at : at + 2]) if at + 1 < len(below) else below[at]
            for at in range(0, len(below), 2)
        ]
        self._top, self._count = None, self._count - 1
        for node in reversed(pairs):
            self._top = melded(self._top, node)
        return item  # type: ignore[no-any-return]

    def _changed(self) -> None:
        for end, line in enumerate(self._lines):
            places = self._count if not end else self._most - self._count
            for bell in line if self._shut else line[-places:] if self._open(end) else []:
                bell.set()

    async def _pause(self, end: int) -> None:
        bell = asyncio.Event()
        self._lines[end].append(bell)
        try:
            await bell.wait()
        finally:
            self._lines[end].remove(bell)
            self._changed()
