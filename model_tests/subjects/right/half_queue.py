"""Half a queue: put, get, qsize, empty, full and maxsize; no join, task_done, shutdown, put_nowait or get_nowait.

Difference: some methods are missing.  The others keep the documentation's sentences: "A first in, first out (FIFO)
queue", "If queue is empty, wait until an item is available" (get), "If the queue is full, wait until a free slot is
available before adding the item" (put).

Freedom: an author of a queue may offer less than asyncio's; no rule about a method that does not exist
can be broken.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
Waiters = deque["asyncio.Future[None]"]


def wake(waiters: Waiters) -> None:
    """Wake the oldest waiter that is still pending."""
    while waiters:
        waiter = waiters.popleft()
        if not waiter.done():
            waiter.set_result(None)
            return


async def wait_while(condition: Callable[[], bool], waiters: Waiters) -> None:
    """Wait until the condition is false; a task that was woken and is cancelled wakes the next."""
    while condition():
        waiter = asyncio.get_running_loop().create_future()
        waiters.append(waiter)
        try:
            await waiter
        except BaseException:
            if waiter.done() and not waiter.cancelled():
                wake(waiters)
            waiter.cancel()
            raise


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: deque[T] = deque()
        self._getters: Waiters = deque()
        self._putters: Waiters = deque()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    async def put(self, item: T) -> None:
        await wait_while(self.full, self._putters)
        self._items.append(item)
        wake(self._getters)

    async def get(self) -> T:
        await wait_while(self.empty, self._getters)
        item = self._items.popleft()
        wake(self._putters)
        return item
