"""Two counters, one of items and one of free places, which may be passed by a newcomer.

The documentation does not say that getters are served in turn, so a newcomer may pass a woken getter.
"""

from __future__ import annotations

import asyncio
import math
import sys
from collections import deque
from typing import Generic, TypeVar

if sys.version_info >= (3, 13):
    from asyncio import QueueShutDown
else:

    class QueueShutDown(Exception):
        """Raised by put and get once the queue is shut down."""


T = TypeVar("T")


class _Counter:
    def __init__(self, value: float) -> None:
        self.value, self.open = value, True
        self.waiters: deque[asyncio.Future[None]] = deque()

    def add(self, count: float) -> None:
        self.value += count
        self.wake(1 if count > 0 else 0)

    def wake(self, count: float) -> None:
        while count > 0 and self.waiters:
            waiter = self.waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                count -= 1

    async def positive(self) -> None:
        while self.open and not self.value:
            waiter = asyncio.get_running_loop().create_future()
            self.waiters.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                self.wake(self.value)
                raise


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._store: deque[T] = deque()
        self._places, self._items = _Counter(maxsize if maxsize > 0 else math.inf), _Counter(0)
        self._unfinished, self._idle = 0, asyncio.Event()
        self._idle.set()

    def qsize(self) -> int:
        return len(self._store)

    def empty(self) -> bool:
        return not self._items.value

    def full(self) -> bool:
        return not self._places.value

    async def put(self, item: T) -> None:
        await self._places.positive()
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if not self._places.open:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._places.add(-1)
        self._store.append(item)
        self._unfinished += 1
        self._idle.clear()
        self._items.add(1)

    async def get(self) -> T:
        await self._items.positive()
        return self.get_nowait()

    def get_nowait(self) -> T:
        if self.empty():
            raise asyncio.QueueEmpty if self._items.open else QueueShutDown
        self._items.add(-1)
        item = self._store.popleft()
        self._places.add(1)
        return item

    def task_done(self) -> None:
        if not self._unfinished:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if not self._unfinished:
            self._idle.set()

    async def join(self) -> None:
        await self._idle.wait()

    def shutdown(self, immediate: bool = False) -> None:
        self._places.open = self._items.open = False
        while immediate and not self.empty():
            self.get_nowait()
            if self._unfinished:
                self.task_done()
        self._places.wake(math.inf)
        self._items.wake(math.inf)
