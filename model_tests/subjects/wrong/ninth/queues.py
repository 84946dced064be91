"""Wrong implementations of asyncio's queues."""

import asyncio
from collections import deque
from typing import Any


class QueueWithOneLine(asyncio.Queue[Any]):
    """A queue whose getters and putters wait in one line, of which the first is woken.

    Breaks "wait until a free slot is available" of `Queue.put`: a get may wake another getter instead of the putter.
    """

    _getters: deque[asyncio.Future[None]]

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._putters = self._getters


class QueueOfUniqueItems(asyncio.Queue[Any]):
    """A queue that stores its items as the keys of a dict, so an item that is equal to a waiting one is dropped.

    Breaks "Put an item into the queue" of `Queue.put`; the item is counted, so `join` waits for it.
    """

    def _init(self, maxsize: int) -> None:
        self._queue: dict[Any, None] = {}

    def _put(self, item: Any) -> None:
        self._queue[item] = None

    def _get(self) -> Any:
        item = next(iter(self._queue))
        del self._queue[item]
        return item


class QueueBoundedByUnfinishedItems(asyncio.Queue[Any]):
    """A queue that counts an item against maxsize until it is reported done, not until it is got.

    Breaks "Return True if there are maxsize items in the queue" of `Queue.full`, and so `put` waits too long.
    """

    _maxsize: int
    _unfinished_tasks: int
    _putters: deque[asyncio.Future[None]]

    def full(self) -> bool:
        return 0 < self._maxsize <= self._unfinished_tasks

    def task_done(self) -> None:
        super().task_done()
        self._wakeup_next(self._putters)

    def _wakeup_next(self, waiters: deque[asyncio.Future[None]]) -> None:
        if waiters is not self._putters or not self.full():
            super()._wakeup_next(waiters)  # type: ignore[misc]


class QueueThatIsFullFirst(asyncio.Queue[Any]):
    """A queue whose put_nowait raises QueueFull in a full queue that is shut down.

    Breaks "Raises QueueShutDown if the queue has been shut down" of `Queue.put_nowait`; since 3.13.
    """

    def put_nowait(self, item: Any) -> None:
        if self.full():
            raise asyncio.QueueFull
        super().put_nowait(item)


class LifoQueueThatWakesTheNewestTask(asyncio.LifoQueue[Any]):
    """A last in, first out queue whose waiting tasks are woken last in, first out as well.

    Breaks "wait until an item is available" of `Queue.get`: an old getter starves while newer ones are served.
    """

    def _wakeup_next(self, waiters: deque[asyncio.Future[None]]) -> None:
        while waiters:
            waiter = waiters.pop()
            if not waiter.done():
                waiter.set_result(None)
                break
