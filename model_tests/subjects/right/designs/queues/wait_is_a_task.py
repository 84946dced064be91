"""Each wait is a task of its own, which the caller awaits; a change rings the bells of all such tasks.

The documentation calls get() a coroutine and leaves free whether other tasks work for it.
"""

from __future__ import annotations

import asyncio
from collections import deque

from ..queue_ledger import Ledger, T


class Queue(Ledger[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._items: deque[T] = deque()
        self._bells: list[tuple[int, asyncio.Event]] = []

    def qsize(self) -> int:
        return len(self._items)

    def _add(self, item: T) -> None:
        self._items.append(item)

    def _take(self) -> T:
        return self._items.popleft()

    def _changed(self) -> None:
        for end, bell in self._bells:
            if self._open(end):
                bell.set()

    async def _pause(self, end: int) -> None:
        place = end, asyncio.Event()
        self._bells.append(place)
        try:
            await asyncio.create_task(place[1].wait())
        finally:
            self._bells.remove(place)
