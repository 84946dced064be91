"""Wrong implementations of asyncio's queues."""

import asyncio
from collections import deque
from typing import Any

# The private names of these classes are Any to the type checker.
_asyncio: Any = asyncio  # QueueShutDown is there since 3.13
_Queue: Any = asyncio.Queue
_PriorityQueue: Any = asyncio.PriorityQueue
_LifoQueue: Any = asyncio.LifoQueue


class QueueDropsWakeupOfCancelledPutter(_Queue):
    """A queue in which a putter that is cancelled after it was woken does not wake the next one.

    Breaks "If the queue is full, wait until a free slot is available before adding the item."
    """

    async def put(self, item: Any) -> None:
        while self.full() and not getattr(self, "_is_shutdown", False):
            putter = self._get_loop().create_future()
            self._putters.append(putter)
            try:
                await putter
            except BaseException:
                putter.cancel()
                if putter in self._putters:
                    self._putters.remove(putter)
                raise
        self.put_nowait(item)


class QueueJoinWaitsAgain(_Queue):
    """A queue whose join waits again if an item was put between its release and its turn.

    Breaks "When the count of unfinished tasks drops to zero, join() unblocks."
    """

    async def join(self) -> None:
        while self._unfinished_tasks > 0:
            await self._finished.wait()


class QueueJoinEndsWhenEmpty(_Queue):
    """A queue that releases its joins when it is empty, though items that were got are not done.

    Breaks "Block until all items in the queue have been received and processed."
    """

    def task_done(self) -> None:
        super().task_done()
        if self.empty():
            self._finished.set()


class PriorityQueueTakesFirstOfHeap(_PriorityQueue):
    """A priority queue that removes the first entry of its heap, and does not restore the heap.

    Breaks "retrieves entries in priority order (lowest first)".
    """

    def _get(self) -> Any:
        return self._queue.pop(0)


class LifoQueueInsertsBeforeLast(_LifoQueue):
    """A LIFO queue that inserts an item before the newest one, by an index of -1.

    Breaks "retrieves most recently added entries first".
    """

    def _put(self, item: Any) -> None:
        self._queue.insert(-1, item)


class QueueShutdownHidesItems(_Queue):
    """A queue from which nothing can be got after a shutdown, though items are left (since 3.13).

    Breaks "If immediate is false (the default), the queue can be wound down normally with get() calls".
    """

    def get_nowait(self) -> Any:
        if getattr(self, "_is_shutdown", False):
            raise _asyncio.QueueShutDown
        return super().get_nowait()


class QueueWakesNewestWaiter(_Queue):
    """A queue that wakes the getter, and the putter, that has waited least.

    Breaks "A first in, first out (FIFO) queue", for the tasks that wait.
    """

    def _wakeup_next(self, waiters: deque[asyncio.Future[None]]) -> None:
        while waiters:
            waiter = waiters.pop()
            if not waiter.done():
                waiter.set_result(None)
                break


class QueueWakesCancelledWaiter(_Queue):
    """A queue that spends a wake-up on a waiter that was cancelled and has yet to run.

    Breaks "If queue is empty, wait until an item is available."
    """

    def _wakeup_next(self, waiters: deque[asyncio.Future[None]]) -> None:
        if waiters:
            waiter = waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)


class QueueCountsRefusedItem(_Queue):
    """A queue that counts an item as unfinished before it refuses it.

    Breaks "The count of unfinished tasks goes up whenever an item is added to the queue."
    """

    def put_nowait(self, item: Any) -> None:
        self._unfinished_tasks += 1
        self._finished.clear()
        super().put_nowait(item)
        self._unfinished_tasks -= 1  # it was counted twice
