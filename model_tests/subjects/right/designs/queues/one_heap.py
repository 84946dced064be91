"""One heap serves all three kinds of queue, and waiters are woken a turn of the loop later.

The documentation fixes the order of the items only; it leaves free when a waiter wakes.
"""

from __future__ import annotations

import asyncio
import sys
from heapq import heappop, heappush
from itertools import count
from typing import Any, Generic, TypeVar

if sys.version_info >= (3, 13):
    from asyncio import QueueShutDown
else:

    class QueueShutDown(Exception):
        """Raised by put and get once the queue is shut down."""


T = TypeVar("T")


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._heap: list[tuple[Any, int, T]] = []
        self._numbers, self._open, self._unfinished = count(), True, 0
        self._waiters: dict[asyncio.Future[None], None] = {}
        self._idle = asyncio.Event()
        self._idle.set()

    def _rank(self, item: T, number: int) -> Any:
        return number

    def _wake(self, waiter: asyncio.Future[None]) -> None:
        if not waiter.done():
            waiter.set_result(None)

    def _wake_all(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.get_loop().call_soon(self._wake, waiter)

    async def _wait(self) -> None:
        waiter = asyncio.get_running_loop().create_future()
        self._waiters[waiter] = None
        try:
            await waiter
        finally:
            del self._waiters[waiter]

    def qsize(self) -> int:
        return len(self._heap)

    def empty(self) -> bool:
        return not self._heap

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._heap)

    async def put(self, item: T) -> None:
        while self._open and self.full():
            await self._wait()
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if not self._open:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        number = next(self._numbers)
        heappush(self._heap, (self._rank(item, number), number, item))
        self._unfinished += 1
        self._idle.clear()
        self._wake_all()

    async def get(self) -> T:
        while self._open and not self._heap:
            await self._wait()
        return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._heap:
            raise asyncio.QueueEmpty if self._open else QueueShutDown
        self._wake_all()
        return heappop(self._heap)[2]

    def task_done(self) -> None:
        if not self._unfinished:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if not self._unfinished:
            self._idle.set()

    async def join(self) -> None:
        await self._idle.wait()

    def shutdown(self, immediate: bool = False) -> None:
        self._open = False
        while immediate and self._heap:
            self.get_nowait()
            if self._unfinished:
                self.task_done()
        self._wake_all()


class LifoQueue(Queue[T]):
    def _rank(self, item: T, number: int) -> Any:
        return -number


class PriorityQueue(Queue[T]):
    def _rank(self, item: T, number: int) -> Any:
        return item
