"""A chain of events: each holds an item and the next event; the last one is still to be set.

The documentation says "A first in, first out (FIFO) queue", and leaves the structure free.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ..queue_ledger import Ledger, T


class Link(asyncio.Event):
    item: Any = None
    following: Link


class Queue(Ledger[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._first = self._last = Link()
        self._count, self._room = 0, asyncio.Event()

    def qsize(self) -> int:
        return self._count

    def _add(self, item: T) -> None:
        link, self._last = self._last, Link()
        link.item, link.following = item, self._last
        link.set()
        self._count += 1

    def _take(self) -> T:
        link, self._count = self._first, self._count - 1
        self._first = link.following
        return link.item  # type: ignore[no-any-return]

    def _changed(self) -> None:
        if self._shut:
            self._last.set()
        if self._open(1):
            self._room.set()
            self._room = asyncio.Event()

    async def _pause(self, end: int) -> None:
        await (self._room if end else self._first).wait()
