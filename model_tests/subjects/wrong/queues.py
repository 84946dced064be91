"""Wrong queues: wake-ups, sizes and orders."""

from __future__ import annotations

import asyncio
import heapq
from typing import Any

from ._parts import LifoQueue, PriorityQueue, Queue


class CountsPutters(Queue):
    """A queue whose qsize() counts the items of blocked putters.

    Breaks asyncio-queue, Queue.qsize(): "Return the number of items in the queue."
    """

    def qsize(self) -> int:
        return int(super().qsize()) + sum(not putter.done() for putter in self._putters)


class WakesNoPutter(Queue):
    """A queue whose get_nowait() does not wake putters; only get() does.

    Breaks asyncio-queue, Queue.put(): "If the queue is full, wait until a free slot is available before adding the
    item."
    """

    def get_nowait(self: Any) -> Any:
        putters, self._putters = self._putters, type(self._putters)()
        try:
            return super().get_nowait()
        finally:
            self._putters = putters

    async def get(self) -> Any:
        item = await super().get()
        self._wakeup_next(self._putters)
        return item


class LastInStaysInside(LifoQueue):
    """A LIFO queue that returns the oldest item as soon as it holds three.

    Breaks asyncio-queue, LifoQueue: "A variant of Queue that retrieves most recently added entries first (last in,
    first out)."
    """

    def _get(self) -> Any:
        return self._queue.pop(0 if len(self._queue) > 2 else -1)


class PriorityBySorting(PriorityQueue):
    """A priority queue that sorts its items when one is added only if there were two or fewer.

    Breaks asyncio-queue, PriorityQueue: "A variant of Queue; retrieves entries in priority order (lowest first)."
    """

    def _put(self, item: Any, heappush: Any = None) -> None:
        self._queue.append(item)
        if len(self._queue) <= 3:
            self._queue.sort()

    def _get(self, heappop: Any = None) -> Any:
        return self._queue.pop(0)


class PriorityHighestFirst(PriorityQueue):
    """A priority queue that returns the highest entry first when it is full.

    Breaks asyncio-queue, PriorityQueue: "retrieves entries in priority order (lowest first)."
    """

    def _get(self, heappop: Any = heapq.heappop) -> Any:
        if self.full():
            self._queue.remove(highest := max(self._queue))
            heapq.heapify(self._queue)
            return highest
        return heappop(self._queue)


class AddsLater(Queue):
    """A queue whose put() adds the item in the next iteration if a getter waits.

    Breaks asyncio-queue, Queue.put(): "Put an item into the queue" - when put() returns, the item is in it; Queue: "A
    first in, first out (FIFO) queue."
    """

    async def put(self, item: Any) -> None:
        if self._getters:
            asyncio.get_running_loop().call_soon(self.put_nowait, item)
        else:
            await super().put(item)
