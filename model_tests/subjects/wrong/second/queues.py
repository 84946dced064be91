"""Wrong queues: a second set."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from typing import Any

from .._parts import PriorityQueue, Queue, wait_in_line


def _shut_down(queue: Any) -> bool:
    return bool(getattr(queue, "_is_shutdown", False))  # since 3.13


class QueueLosesAHandedItem(Queue):
    """An item is handed over in the future of a waiting get(), and lost if that get() is cancelled just then.

    Breaks asyncio-queue.html, Queue.get(): "Remove and return an item from the queue."; an item that no
    get() returned must still be in the queue.
    """

    def put_nowait(self, item: Any) -> None:
        """Hand the item to the first that waits for one, or store it."""
        while self._getters and not _shut_down(self):
            getter = self._getters.popleft()
            if not getter.done():
                self._unfinished_tasks += 1
                self._finished.clear()
                getter.set_result((item,))
                return
        super().put_nowait(item)

    async def get(self) -> Any:
        """Take a stored item, or wait until one is handed over."""
        if not self.empty() or _shut_down(self):
            return self.get_nowait()
        handed = await wait_in_line(self._getters)
        return self.get_nowait() if handed is None else handed[0]


class QueueLosesAFreeSlot(Queue):
    """A put() that is cancelled in the turn in which it was woken does not wake the next one.

    Breaks asyncio-queue.html, Queue.put(): "If the queue is full, wait until a free slot is available
    before adding the item."
    """

    async def put(self, item: Any) -> None:
        """Wait for a slot, then put."""
        while self.full() and not _shut_down(self):
            await wait_in_line(self._putters)
        self.put_nowait(item)


class QueueCountsARefusedTaskDone(Queue):
    """A task_done() too many raises ValueError, but leaves the count of unfinished tasks below zero.

    Breaks asyncio-queue.html, Queue.join(): "Block until all items in the queue have been received and
    processed." The next item put into the queue is not waited for.
    """

    def task_done(self) -> None:
        """Count down, and complain if that was wrong."""
        self._unfinished_tasks -= 1
        if self._unfinished_tasks < 0:
            raise ValueError("task_done() called too many times")
        if self._unfinished_tasks == 0:
            self._finished.set()


class QueueGetRaisesEmpty(Queue):
    """A get() that was woken does not look again, and raises QueueEmpty if the item has gone meanwhile.

    Breaks asyncio-queue.html, Queue.get(): "If queue is empty, wait until an item is available."
    """

    async def get(self) -> Any:
        """Wait for a put(), then get."""
        if self.empty() and not _shut_down(self):
            await wait_in_line(
                self._getters, lambda woken: woken and not self.empty() and self._wakeup_next(self._getters)
            )
        return self.get_nowait()


class QueueGetOutlivesItsCancellation(Queue):
    """A get() that is cancelled in the turn in which an item arrives returns the item nevertheless.

    Breaks asyncio-task.html, Task.cancel(): "This arranges for a CancelledError exception to be thrown into
    the wrapped coroutine"; the source, Queue.get(), leaves the item to the next and raises.
    """

    async def get(self) -> Any:
        """Get an item, rather than lose one."""
        try:
            return await super().get()
        except asyncio.CancelledError:
            if self.empty():
                raise
            return self.get_nowait()


class QueueKeepsItemsThatWereGotten(Queue):
    """Items that were gotten are kept in the list behind the queue until the queue is empty.

    Breaks asyncio-queue.html, Queue.get(): "Remove and return an item from the queue." A queue that is
    never quite empty keeps every item for ever.
    """

    def _init(self, maxsize: int) -> None:
        self._queue: list[Any] = []
        self._head = 0

    def _put(self, item: Any) -> None:
        self._queue.append(item)

    def _get(self) -> Any:
        item = self._queue[self._head]
        self._head += 1
        if self._head == len(self._queue):
            self._queue.clear()
            self._head = 0
        return item

    def qsize(self) -> int:
        """Return the number of items behind the head."""
        return len(self._queue) - self._head


class PriorityQueueComparesFirstMembers(PriorityQueue):
    """Entries are ordered by their first member alone, so that an entry which has none raises TypeError.

    Breaks asyncio-queue.html, PriorityQueue: "retrieves entries in priority order (lowest first)"; entries
    are only "typically" tuples.
    """

    def _init(self, maxsize: int) -> None:
        self._queue: list[Any] = []
        self._serial = itertools.count()

    def _put(self, item: Any) -> None:
        heapq.heappush(self._queue, (item[0], next(self._serial), item))

    def _get(self) -> Any:
        return heapq.heappop(self._queue)[-1]


class PriorityQueueSortsWhenItIsLonger(PriorityQueue):
    """Entries are sorted again only if there are more of them than when they were sorted last.

    Breaks asyncio-queue.html, PriorityQueue: "retrieves entries in priority order (lowest first)".
    """

    def _init(self, maxsize: int) -> None:
        self._queue: list[Any] = []
        self._sorted = 0

    def _put(self, item: Any) -> None:
        self._queue.append(item)

    def _get(self) -> Any:
        if len(self._queue) > self._sorted:
            self._queue.sort(reverse=True)
            self._sorted = len(self._queue)
        return self._queue.pop()
