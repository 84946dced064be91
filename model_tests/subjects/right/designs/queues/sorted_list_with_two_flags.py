"""A priority queue on a sorted list, with two Events kept in step with its length.

The documentation says that the lowest entry comes first, and leaves free the structure (no heap) and the task that
is woken.
"""

from __future__ import annotations

import asyncio
from bisect import insort
from typing import Any

from ..queue_base import SIDES, QueueBase, QueueShutDown, Side, T

__all__ = ["PriorityQueue", "QueueShutDown"]


class PriorityQueue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._sorted: list[Any] = []
        self._flags = {side: asyncio.Event() for side in SIDES}
        self._flag()

    def _flag(self) -> None:
        for side, event in self._flags.items():
            if self._blocked(side):
                event.clear()
            else:
                event.set()

    def _changed(self, side: Side) -> None:
        self._flag()

    async def _wait(self, side: Side) -> None:
        await self._flags[side].wait()

    def qsize(self) -> int:
        return len(self._sorted)

    def _add(self, item: T) -> None:
        insort(self._sorted, item)

    def _remove(self) -> T:
        item: T = self._sorted.pop(0)
        return item
