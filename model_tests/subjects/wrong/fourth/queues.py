"""Wrong asyncio.Queue, LifoQueue and PriorityQueue: room, wake-ups, join(), order."""

from __future__ import annotations

import bisect
import itertools
from typing import Any, NamedTuple

from .._parts import LifoQueue, PriorityQueue, Queue


class QueueThatWakesPutsWhenItIsEmpty(Queue):
    """get() wakes a waiting put() only if it took the last item, not when one slot of several becomes free.

    Breaks "If the queue is full, wait until a free slot is available before adding the item." (asyncio-queue.html,
    Queue.put())
    """

    def _wakeup_next(self, waiters: Any) -> None:
        if waiters is self._putters and not self.empty():
            return
        super()._wakeup_next(waiters)


class _Entry(NamedTuple):
    ticket: int
    item: Any


class LifoQueueOrdersByTheCallOfPut(LifoQueue):
    """An item's place in the order is that of the call of put(), even if put() then waited and later items went in.

    Breaks "A variant of Queue that retrieves most recently added entries first (last in, first out)."
    (asyncio-queue.html, LifoQueue)
    """

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._tickets = itertools.count()

    async def put(self, item: Any) -> None:
        await super().put(_Entry(next(self._tickets), item))

    def put_nowait(self, item: Any) -> None:
        super().put_nowait(item if isinstance(item, _Entry) else _Entry(next(self._tickets), item))

    def _put(self, item: Any) -> None:
        bisect.insort(self._queue, item, key=lambda entry: entry.ticket)

    def _get(self) -> Any:
        return self._queue.pop().item


class PriorityQueueThatPopsTheHeadOfItsHeap(PriorityQueue):
    """get() takes the first entry off the heap as off a sorted list; the entry behind it may not be the lowest.

    Breaks "A variant of Queue; retrieves entries in priority order (lowest first)." (asyncio-queue.html,
    PriorityQueue)
    """

    def _get(self) -> Any:
        return self._queue.pop(0)


class PriorityQueueThatHoldsEqualEntriesOnce(PriorityQueue):
    """An entry that is equal to one in the queue is not added.

    Breaks "Put an item into the queue." (asyncio-queue.html, Queue.put()); a PriorityQueue changes only the order.
    """

    def _put(self, item: Any) -> None:
        if item not in self._queue:
            super()._put(item)
