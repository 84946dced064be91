"""Wrong asyncio.Queue, LifoQueue and PriorityQueue: lost wake-ups, lost items, order, sizes, join()."""

from __future__ import annotations

import asyncio
from typing import Any

_Queue: Any = asyncio.Queue  # Any: the subjects use its private parts
_LifoQueue: Any = asyncio.LifoQueue


def _drop(waiters: Any, waiter: Any) -> None:
    if waiter in waiters:
        waiters.remove(waiter)


def _is_shut_down(queue: Any) -> bool:
    return bool(getattr(queue, "_is_shutdown", False))  # from 3.13


class QueueThatForgetsTheNextGetter(_Queue):
    """A get() cancelled just after an item woke it does not wake the next get(), which waits on beside the item.

    Breaks "Remove and return an item from the queue. If queue is empty, wait until an item is available."
    (asyncio-queue.html, Queue.get()); queues.py, Queue.get(): "We were woken up by put_nowait(), but can't take the
    call.  Wake up the next in line."
    """

    async def get(self) -> Any:
        while self.empty() and not _is_shut_down(self):
            getter = self._get_loop().create_future()
            self._getters.append(getter)
            try:
                await getter
            finally:
                _drop(self._getters, getter)
        return self.get_nowait()


class QueueThatLooksForRoomOnce(_Queue):
    """A put() that was woken does not look again if there is room: it fails with QueueFull if another was quicker.

    Breaks "If the queue is full, wait until a free slot is available before adding the item."
    (asyncio-queue.html, Queue.put()); queues.py, Queue.put(): "while self.full()", not "if".
    """

    async def put(self, item: Any) -> None:
        if self.full() and not _is_shut_down(self):
            putter = self._get_loop().create_future()
            self._putters.append(putter)
            try:
                await putter
            except BaseException:
                putter.cancel()
                _drop(self._putters, putter)
                if not self.full() and not putter.cancelled():
                    self._wakeup_next(self._putters)
                raise
        self.put_nowait(item)


class LifoQueueWithANegativeSize(_LifoQueue):
    """Only the size 0 is taken as infinite: a queue with a negative maxsize is always full.

    Breaks "If maxsize is less than or equal to zero, the queue size is infinite." (asyncio-queue.html, Queue)
    """

    def full(self) -> bool:
        return bool(self.maxsize and self.qsize() >= self.maxsize)
