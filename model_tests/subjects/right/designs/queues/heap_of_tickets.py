"""Getters and putters draw tickets, and one that must wait again keeps its old ticket.

The documentation does not say which waiter is first; here it is the one that has waited longest.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count
from typing import Generic, TypeVar

if sys.version_info >= (3, 13):
    from asyncio import QueueShutDown
else:

    class QueueShutDown(Exception):
        """Raised by put and get once the queue is shut down."""


T = TypeVar("T")


class _Line:
    def __init__(self, ready: Callable[[], bool]) -> None:
        self.ready, self.tickets = ready, count()
        self.heap: list[tuple[int, asyncio.Future[None]]] = []

    def wake(self) -> None:
        while self.heap:
            waiter = heappop(self.heap)[1]
            if not waiter.done():
                waiter.set_result(None)
                break

    async def stand(self) -> None:
        ticket = next(self.tickets)
        while not self.ready():
            waiter = asyncio.get_running_loop().create_future()
            heappush(self.heap, (ticket, waiter))
            try:
                await waiter
            except asyncio.CancelledError:
                if self.ready():
                    self.wake()
                raise


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: deque[T] = deque()
        self._open, self._unfinished, self._idle = True, 0, asyncio.Event()
        self._idle.set()
        self._getters = _Line(lambda: bool(self._items) or not self._open)
        self._putters = _Line(lambda: not self.full() or not self._open)

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    async def put(self, item: T) -> None:
        await self._putters.stand()
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if not self._open:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._items.append(item)
        self._unfinished += 1
        self._idle.clear()
        self._getters.wake()

    async def get(self) -> T:
        await self._getters.stand()
        return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._items:
            raise asyncio.QueueEmpty if self._open else QueueShutDown
        item = self._items.popleft()
        self._putters.wake()
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
        self._open = False
        while immediate and self._items:
            self.get_nowait()
            if self._unfinished:
                self.task_done()
        for line in (self._getters, self._putters):
            while line.heap:
                line.wake()
