"""Each change rings one shared event, which is then replaced, and every waiter looks again.

The documentation says "wait until an item is available"; it leaves free whom a change wakes.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from typing import Generic, TypeVar

if sys.version_info >= (3, 13):
    from asyncio import QueueShutDown
else:

    class QueueShutDown(Exception):
        """Raised by put and get once the queue is shut down."""


T = TypeVar("T")


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: deque[T] = deque()
        self._open, self._unfinished = True, 0
        self._bell, self._idle = asyncio.Event(), asyncio.Event()
        self._idle.set()

    def _ring(self) -> None:
        self._bell.set()
        self._bell = asyncio.Event()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    async def put(self, item: T) -> None:
        while self._open and self.full():
            await self._bell.wait()
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if not self._open:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._items.append(item)
        self._unfinished += 1
        self._idle.clear()
        self._ring()

    async def get(self) -> T:
        while self._open and not self._items:
            await self._bell.wait()
        return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._items:
            raise asyncio.QueueEmpty if self._open else QueueShutDown
        item = self._items.popleft()
        self._ring()
        return item

    def _finish(self, count: int) -> None:
        self._unfinished = max(0, self._unfinished - count)
        if not self._unfinished:
            self._idle.set()

    def task_done(self) -> None:
        if not self._unfinished:
            raise ValueError("task_done() called too many times")
        self._finish(1)

    async def join(self) -> None:
        await self._idle.wait()

    def shutdown(self, immediate: bool = False) -> None:
        self._open = False
        if immediate:
            self._finish(len(self._items))
            self._items.clear()
        self._ring()
