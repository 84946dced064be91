"""A queue of the module queue keeps items and counts; a list of futures is rung on each change.

The documentation says the design is "similar to classes of the queue module" and leaves the inside free.
"""

from __future__ import annotations

import asyncio
import queue
import sys
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
        self._inner: queue.Queue[T] = queue.Queue(maxsize)
        self._open = True
        self._waiters: list[asyncio.Future[None]] = []
        self._joiners: list[asyncio.Future[None]] = []

    async def _wait(self, line: list[asyncio.Future[None]]) -> None:
        line.append(asyncio.get_running_loop().create_future())
        await line[-1]

    def _ring(self, line: list[asyncio.Future[None]]) -> None:
        while line:
            waiter = line.pop(0)
            if not waiter.done():
                waiter.set_result(None)

    def qsize(self) -> int:
        return self._inner.qsize()

    def empty(self) -> bool:
        return self._inner.empty()

    def full(self) -> bool:
        return self._inner.full()

    async def put(self, item: T) -> None:
        while self._open and self.full():
            await self._wait(self._waiters)
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if not self._open:
            raise QueueShutDown
        try:
            self._inner.put_nowait(item)
        except queue.Full:
            raise asyncio.QueueFull from None
        self._ring(self._waiters)

    async def get(self) -> T:
        while self._open and self.empty():
            await self._wait(self._waiters)
        return self.get_nowait()

    def get_nowait(self) -> T:
        try:
            item = self._inner.get_nowait()
        except queue.Empty:
            raise (asyncio.QueueEmpty if self._open else QueueShutDown) from None
        self._ring(self._waiters)
        return item

    def task_done(self) -> None:
        self._inner.task_done()
        if not self._inner.unfinished_tasks:
            self._ring(self._joiners)

    async def join(self) -> None:
        if self._inner.unfinished_tasks:
            await self._wait(self._joiners)

    def shutdown(self, immediate: bool = False) -> None:
        self._open = False
        while immediate and not self.empty():
            self.get_nowait()
            if self._inner.unfinished_tasks:
                self.task_done()
        self._ring(self._waiters)
