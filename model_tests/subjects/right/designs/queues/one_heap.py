"""One heap serves all three kinds of queue, and waiters are woken a turn of the loop later.

The documentation fixes the order of the items only; it leaves free when a waiter wakes.
"""

from __future__ import annotations

import asyncio
from heapq import heappop, heappush
from itertools import count
from typing import Any

from ..queue_base import QueueBase, QueueShutDown, Side, T, wake

__all__ = ["LifoQueue", "PriorityQueue", "Queue", "QueueShutDown"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._heap: list[tuple[Any, int, T]] = []
        self._numbers = count()
        self._waiters: dict[asyncio.Future[None], None] = {}

    def _rank(self, item: T, number: int) -> Any:
        return number

    def _changed(self, side: Side) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.get_loop().call_soon(wake, waiter)

    async def _wait(self, side: Side) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiters[waiter] = None
        try:
            await waiter
        finally:
            del self._waiters[waiter]

    def qsize(self) -> int:
        return len(self._heap)

    def _add(self, item: T) -> None:
        number = next(self._numbers)
        heappush(self._heap, (self._rank(item, number), number, item))

    def _remove(self) -> T:
        return heappop(self._heap)[2]


class LifoQueue(Queue[T]):
    def _rank(self, item: T, number: int) -> Any:
        return -number


class PriorityQueue(Queue[T]):
    def _rank(self, item: T, number: int) -> Any:
        return item
