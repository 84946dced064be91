"""Wrong implementations of queues."""

from __future__ import annotations

import asyncio
import sys
from asyncio import Future
from collections import deque
from collections.abc import Callable
from typing import Any

#: The futures of waiting tasks, in order.  A waiter that is woken leaves the line.
Line = dict[Future[None], None]
#: asyncio.QueueShutDown, since 3.13; a queue of an older Python is never shut down.
Closed: Any = vars(asyncio).get("QueueShutDown", RuntimeError)


class _Lines(asyncio.Queue[Any]):
    """A right queue, of its own design: it has a line for each kind of waiter, and a future for each join."""

    __repr__ = __str__ = object.__repr__

    def __init__(self, maxsize: int = 0) -> None:
        self._bound = maxsize
        self._items: deque[Any] = deque()
        self._takers: Line = {}
        self._givers: Line = {}
        self._joins: list[Future[None]] = []
        self._count = 0
        self._closed = False

    @property
    def maxsize(self) -> int:
        return self._bound

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self._bound <= len(self._items)

    def _wake(self, line: Line) -> None:
        while line:
            waiter = next(iter(line))
            del line[waiter]
            if not waiter.done():
                waiter.set_result(None)
                return

    def _pass_on(self, line: Line) -> None:
        """A task of this line was woken, and leaves instead."""
        self._wake(line)

    async def _stand(self, line: Line, ready: Callable[[], bool]) -> None:
        while not ready():
            waiter: Future[None] = asyncio.get_running_loop().create_future()
            line[waiter] = None
            try:
                await waiter
            except BaseException:
                line.pop(waiter, None)
                if ready() and waiter.done() and not waiter.cancelled():
                    self._pass_on(line)
                raise

    async def get(self) -> Any:
        await self._stand(self._takers, lambda: bool(self._items) or self._closed)
        return self.get_nowait()

    async def put(self, item: Any) -> None:
        await self._stand(self._givers, lambda: not self.full() or self._closed)
        self.put_nowait(item)

    def get_nowait(self) -> Any:
        if not self._items:
            raise Closed if self._closed else asyncio.QueueEmpty
        item = self._items.popleft()
        self._wake(self._givers)
        return item

    def put_nowait(self, item: Any) -> None:
        if self._closed:
            raise Closed
        if self.full():
            raise asyncio.QueueFull
        self._add(item)

    def _add(self, item: Any) -> None:
        self._items.append(item)
        self._count += 1
        self._wake(self._takers)

    def _release(self) -> None:
        for join in self._joins:
            if not join.done():
                join.set_result(None)

    def task_done(self) -> None:
        if self._count <= 0:
            raise ValueError("task_done() called too many times")
        self._count -= 1
        if not self._count:
            self._release()

    async def join(self) -> None:
        if self._count > 0:
            self._joins.append(asyncio.get_running_loop().create_future())
            await self._until_released(self._joins[-1])

    async def _until_released(self, join: Future[None]) -> None:
        try:
            await join
        finally:
            self._joins.remove(join)

    if sys.version_info >= (3, 13):

        def shutdown(self, immediate: bool = False) -> None:
            self._closed = True
            if immediate:
                self._count = max(0, self._count - len(self._items))
                self._items.clear()
                if not self._count:
                    self._release()
            for line in (self._takers, self._givers):
                while line:
                    self._wake(line)


class WakesOnlyIfItWasEmpty(_Lines):
    """A queue that wakes a getter only when an item comes into the empty queue.

    Breaks "If queue is empty, wait until an item is available." Two getters wait, two items are put at once:
    the second getter sleeps beside the second item.
    """

    def _add(self, item: Any) -> None:
        was_empty = not self._items
        self._items.append(item)
        self._count += 1
        if was_empty:
            self._wake(self._takers)


class JoinWaitsForEarlierItems(_Lines):
    """A queue that releases a join when as many items are done as had been put before that join.

    Breaks "When the count of unfinished tasks drops to zero, join() unblocks." Items that were put later are
    unfinished then.
    """

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._goals: dict[Future[None], int] = {}
        self._puts = self._reports = 0

    def _add(self, item: Any) -> None:
        super()._add(item)
        self._puts += 1

    def task_done(self) -> None:
        super().task_done()
        self._reports += 1
        for join in self._joins:
            if self._goals[join] <= self._reports and not join.done():
                join.set_result(None)

    async def _until_released(self, join: Future[None]) -> None:
        self._goals[join] = self._puts
        try:
            await super()._until_released(join)
        finally:
            del self._goals[join]


class ImmediateShutdownForgetsWorkers(_Lines):
    """A queue that has nothing unfinished after an immediate shutdown, although workers hold items.

    Breaks "The queue is drained to be completely empty and the count of unfinished tasks is reduced by the
    number of tasks drained." (since 3.13) Their join returns early, and their task_done raises ValueError.
    """

    if sys.version_info >= (3, 13):

        def shutdown(self, immediate: bool = False) -> None:
            if immediate:
                self._count = 0
            super().shutdown(immediate)


class BlockedPutterPutsAfterShutdown(_Lines):
    """A queue that looks for a shutdown when a put begins, but not when it was woken and finds room.

    Breaks "Raises QueueShutDown if the queue has been shut down." (since 3.13) An immediate shutdown makes
    room, too.
    """

    async def put(self, item: Any) -> None:
        if self._closed:
            raise Closed
        await self._stand(self._givers, lambda: not self.full() or self._closed)
        if self.full():
            raise Closed
        self._add(item)


class RefusedReportIsCounted(_Lines):
    """A queue that counts a task_done, and only then sees that there was nothing unfinished.

    Breaks "The count of unfinished tasks goes up whenever an item is added to the queue." It raises
    ValueError, but the next item that is put counts as done: a join beside it returns.
    """

    def task_done(self) -> None:
        self._count -= 1
        if self._count < 0:
            raise ValueError("task_done() called too many times")
        if not self._count:
            self._release()


class CancelledPutStillPuts(_Lines):
    """A queue that adds the item of a put that is cancelled when it was woken already.

    Breaks of Task.cancel "This arranges for a CancelledError exception to be thrown into the wrapped
    coroutine": the put ended by it, and did put. The caller sees CancelledError, and puts the item again: it
    is there twice.
    """

    async def put(self, item: Any) -> None:
        while self.full() and not self._closed:
            waiter: Future[None] = asyncio.get_running_loop().create_future()
            self._givers[waiter] = None
            try:
                await waiter
            except asyncio.CancelledError:
                self._givers.pop(waiter, None)
                if waiter.done() and not waiter.cancelled() and not self.full() and not self._closed:
                    self._add(item)
                raise
        self.put_nowait(item)


class KeepsItemsItReturned(asyncio.Queue[Any]):
    """A queue of a list and an index, in which the items that were got stay until there are 64 of them.

    Breaks "Remove and return an item from the queue."
    """

    def _init(self, maxsize: int) -> None:
        self._slots: list[Any] = []
        self._head = 0

    def _put(self, item: Any) -> None:
        self._slots.append(item)

    def _get(self) -> Any:
        item = self._slots[self._head]
        self._head += 1
        if self._head == 64:
            del self._slots[: self._head]
            self._head = 0
        return item

    def qsize(self) -> int:
        return len(self._slots) - self._head

    def empty(self) -> bool:
        return self.qsize() == 0


class HeapOfLeftChildren(asyncio.PriorityQueue[Any]):
    """A priority queue with a heap of its own, which looks at the left child only when an entry sinks.

    Breaks "A variant of Queue; retrieves entries in priority order (lowest first)." With four entries or more
    the order of some is lost.
    """

    def _init(self, maxsize: int) -> None:
        self._queue: list[Any] = []

    def _put(self, item: Any) -> None:
        heap, at = self._queue, len(self._queue)
        heap.append(item)
        while at and heap[at] < heap[(at - 1) // 2]:
            heap[at], heap[(at - 1) // 2] = heap[(at - 1) // 2], heap[at]
            at = (at - 1) // 2

    def _get(self) -> Any:
        heap, at = self._queue, 0
        heap[0], heap[-1] = heap[-1], heap[0]
        least = heap.pop()
        while 2 * at + 1 < len(heap) and heap[2 * at + 1] < heap[at]:
            heap[at], heap[2 * at + 1] = heap[2 * at + 1], heap[at]
            at = 2 * at + 1
        return least


class NewestGetterFirst(asyncio.LifoQueue[Any]):
    """A LIFO queue that wakes the getter that came last, as its items.

    Breaks "A variant of Queue that retrieves most recently added entries first": the entries, not the tasks;
    `_wakeup_next` has "Wake up the next waiter (if any) that isn't cancelled". The getter that came first
    starves.
    """

    def _wakeup_next(self, waiters: deque[Future[None]]) -> None:
        while waiters:
            waiter = waiters.pop()
            if not waiter.done():
                waiter.set_result(None)
                break
