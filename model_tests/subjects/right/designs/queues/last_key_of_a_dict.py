"""A last-in-first-out queue in a dict, where popitem takes the newest; timers of no delay wake all that wait.

The documentation says "retrieves most recently added entries first", but not when a waiter goes on.
"""

from __future__ import annotations

import asyncio
from itertools import count

from ..queue_ledger import Ledger, T


class LifoQueue(Ledger[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._items: dict[int, T] = {}
        self._numbers = count()
        self._bells: list[asyncio.Event] = []

    def qsize(self) -> int:
        return len(self._items)

    def _add(self, item: T) -> None:
        self._items[next(self._numbers)] = item

    def _take(self) -> T:
        return self._items.popitem()[1]

    def _changed(self) -> None:
        for bell in self._bells:
            asyncio.get_running_loop().call_later(0, bell.set)
        self._bells = []

    async def _pause(self, end: int) -> None:
        bell = asyncio.Event()
        self._bells.append(bell)
        try:
            await bell.wait()
        finally:
            if bell in self._bells:
                self._bells.remove(bell)
