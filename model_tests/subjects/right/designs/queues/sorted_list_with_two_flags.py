"""A priority queue on a sorted list, with two Events kept in step with its length.

The documentation says that the lowest entry comes first, but not by which structure (no heap) nor which task is
woken.
"""

from __future__ import annotations

import asyncio
from bisect import insort
from typing import Any, Generic, TypeVar

T = TypeVar("T")
QueueShutDown: type[Exception] = getattr(asyncio, "QueueShutDown", type("QueueShutDown", (Exception,), {}))


class PriorityQueue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: list[Any] = []
        self._open, self._down = 0, False
        self._some, self._room, self._idle = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._idle.set()
        self._flag()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    def _flag(self) -> None:
        for event, up in ((self._some, bool(self._items)), (self._room, not self.full())):
            if up or self._down:
                event.set()
            else:
                event.clear()

    async def put(self, item: T) -> None:
        while self.full() and not self._down:
            await self._room.wait()
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if self._down:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        insort(self._items, item)
        self._open += 1
        self._idle.clear()
        self._flag()

    async def get(self) -> T:
        while not self._items and not self._down:
            await self._some.wait()
        return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._items:
            raise QueueShutDown if self._down else asyncio.QueueEmpty
        item: T = self._items.pop(0)
        self._flag()
        return item

    def task_done(self) -> None:
        if not self._open:
            raise ValueError("task_done() called too many times")
        self._open -= 1
        if not self._open:
            self._idle.set()

    async def join(self) -> None:
        await self._idle.wait()

    def shutdown(self, immediate: bool = False) -> None:
        self._down = True
        while immediate and self._items:
            self._items.pop()
            if self._open:
                self.task_done()
        self._flag()
