"""Wrong queues."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import sys
from typing import Any


class QueueJoinLooksAtTheCountAgain(asyncio.Queue[Any]):
    """join() goes on waiting if an item was added between the last task_done() and the moment it wakes up.

    Breaks "When the count of unfinished tasks drops to zero, join() unblocks" (asyncio-queue, Queue.join): with a
    steady producer join() may never see the zero.  The source waits once: `if self._unfinished_tasks > 0`.
    """

    async def join(self) -> None:
        me: Any = self
        while me._unfinished_tasks > 0:
            await me._finished.wait()


class PriorityQueueOrdersEqualNumbersByAge(asyncio.PriorityQueue[Any]):
    """Entries with equal priority numbers come out in the order they were put, whatever their data.

    Breaks "A variant of Queue; retrieves entries in priority order (lowest first). Entries are typically tuples of
    the form (priority_number, data)" (asyncio-queue, PriorityQueue): the entry is what is compared, and (1, "a") is
    lower than (1, "b").  The source pushes the entry itself on the heap.
    """

    def _init(self, maxsize: int) -> None:
        me: Any = self
        me._queue = []
        me._age = itertools.count()

    def _put(self, item: Any) -> None:
        me: Any = self
        number = item[:1] if isinstance(item, tuple) else item
        heapq.heappush(me._queue, (number, next(me._age), item))

    def _get(self) -> Any:
        me: Any = self
        return heapq.heappop(me._queue)[-1]


class LifoQueueHandsTheItemToAWaitingGet(asyncio.LifoQueue[Any]):
    """An item that is put while a get() waits is given to that get() at once, though later items come before it runs.

    Breaks "A variant of Queue that retrieves most recently added entries first (last in, first out)" (asyncio-queue,
    LifoQueue): after two put_nowait() the waiting get() returns the older item.  In the source a getter is only woken,
    and takes what is on top when it runs.
    """

    def put_nowait(self, item: Any) -> None:
        me: Any = self
        if getattr(self, "_is_shutdown", False) or not self._hand_over(item):
            super().put_nowait(item)
            return
        me._unfinished_tasks += 1
        me._finished.clear()

    async def get(self) -> Any:
        me: Any = self
        while self.empty() and not getattr(self, "_is_shutdown", False):
            getter = me._get_loop().create_future()
            me._getters.append(getter)
            try:
                handed = await getter
            except BaseException:
                if getter in me._getters:
                    me._getters.remove(getter)
                if getter.done() and not getter.cancelled() and getter.result() is not None:
                    (item,) = getter.result()
                    if not self._hand_over(item):
                        self._put(item)
                raise
            if handed is not None:
                (item,) = handed
                return item
        return self.get_nowait()

    def _hand_over(self, item: Any) -> bool:
        """Give the item to the first getter that waits, if any."""
        me: Any = self
        while me._getters:
            getter = me._getters.popleft()
            if not getter.done():
                getter.set_result((item,))
                return True
        return False


if sys.version_info >= (3, 13):

    class QueueShutdownForgetsTheWorkInHand(asyncio.Queue[Any]):
        """shutdown(immediate=True) sets the count of unfinished tasks to zero, that of items being worked on included.

        Breaks "If 'immediate', a task is marked as done for each item remaining in the queue, which may unblock
        callers of join()" (source, Queue.shutdown): an item that a consumer has got and not finished remains
        unfinished, join() waits for its task_done(), and that task_done() raises no ValueError.
        """

        def shutdown(self, immediate: bool = False) -> None:
            me: Any = self
            if immediate:
                while not self.empty():
                    self._get()
                me._unfinished_tasks = 0
                me._finished.set()
            super().shutdown()

    class QueueShutdownWakesOneGetAndOnePut(asyncio.Queue[Any]):
        """shutdown() wakes the first get() and the first put() that wait, and leaves the others waiting.

        Breaks "All blocked callers of put() and get() will be unblocked" (source, Queue.shutdown).
        """

        def shutdown(self, immediate: bool = False) -> None:
            me: Any = self
            me._is_shutdown = True
            if immediate:
                while not self.empty():
                    self._get()
                    if me._unfinished_tasks > 0:
                        me._unfinished_tasks -= 1
                if me._unfinished_tasks == 0:
                    me._finished.set()
            me._wakeup_next(me._getters)
            me._wakeup_next(me._putters)
