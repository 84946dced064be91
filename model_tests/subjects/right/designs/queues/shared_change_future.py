"""A queue on one shared future of change: every change wakes all waiters, and each looks again.

The documentation says that put() and get() wait for a free slot or an item, but not whom a change wakes.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")
QueueShutDown: type[Exception] = getattr(asyncio, "QueueShutDown", type("QueueShutDown", (Exception,), {}))


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: deque[T] = deque()
        self._open, self._zeros, self._down = 0, 0, False  # unfinished items, times they fell to none
        self._change: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    def _changed(self) -> None:
        change, self._change = self._change, None
        if change is not None and not change.done():
            change.set_result(None)

    async def _next_change(self) -> None:
        loop = asyncio.get_running_loop()
        if self._change is None or self._change.get_loop() is not loop:
            self._change = loop.create_future()
        await asyncio.wait([self._change])  # a cancelled waiter leaves the shared future alone

    async def put(self, item: T) -> None:
        while self.full() and not self._down:
            await self._next_change()
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if self._down:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._items.append(item)
        self._open += 1
        self._changed()

    async def get(self) -> T:
        while not self._items and not self._down:
            await self._next_change()
        return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._items:
            raise QueueShutDown if self._down else asyncio.QueueEmpty
        item = self._items.popleft()
        self._changed()
        return item

    def _finish(self, count: int) -> None:
        self._open -= count
        self._zeros += self._open == 0
        self._changed()

    def task_done(self) -> None:
        if not self._open:
            raise ValueError("task_done() called too many times")
        self._finish(1)

    async def join(self) -> None:
        zeros = self._zeros
        while self._open and self._zeros == zeros:
            await self._next_change()

    def shutdown(self, immediate: bool = False) -> None:
        self._down = True
        drained = len(self._items) if immediate else 0
        if drained:
            self._items.clear()
        self._finish(min(drained, self._open))
