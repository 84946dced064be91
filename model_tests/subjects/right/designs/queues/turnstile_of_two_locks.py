"""A queue with a turnstile at each end: only the holder of the end's lock waits for items or for room.

The documentation does not say how several waiting getters or putters stand in line, so they may stand at a
Lock.
"""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar

T = TypeVar("T")
QueueShutDown: type[Exception] = getattr(asyncio, "QueueShutDown", type("QueueShutDown", (Exception,), {}))


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: dict[int, T] = {}  # number of the put -> item
        self._head, self._tail, self._open, self._down = 0, 0, 0, False
        self._entry, self._exit = asyncio.Lock(), asyncio.Lock()
        self._room, self._some, self._idle = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._idle.set()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    async def put(self, item: T) -> None:
        async with self._entry:
            while self.full() and not self._down:
                self._room.clear()
                await self._room.wait()
            self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if self._down:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._items[self._tail] = item
        self._tail += 1
        self._open += 1
        self._idle.clear()
        self._some.set()

    async def get(self) -> T:
        async with self._exit:
            while not self._items and not self._down:
                self._some.clear()
                await self._some.wait()
            return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._items:
            raise QueueShutDown if self._down else asyncio.QueueEmpty
        item = self._items.pop(self._head)
        self._head += 1
        self._room.set()
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
            self.get_nowait()
            if self._open:
                self.task_done()
        self._room.set()
        self._some.set()
