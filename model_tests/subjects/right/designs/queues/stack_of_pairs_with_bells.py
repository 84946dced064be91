"""A last-in-first-out queue as nested pairs (item, rest), with a fresh Event as a bell for each change.

The documentation says which item comes first, but neither how items are kept nor how waiters are woken.
"""

from __future__ import annotations

import asyncio
from typing import Any, Generic, TypeVar

T = TypeVar("T")
QueueShutDown: type[Exception] = getattr(asyncio, "QueueShutDown", type("QueueShutDown", (Exception,), {}))


class LifoQueue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._top: tuple[Any, Any] | None = None
        self._size, self._open, self._down = 0, 0, False
        self._bell, self._idle = asyncio.Event(), asyncio.Event()
        self._idle.set()

    def qsize(self) -> int:
        return self._size

    def empty(self) -> bool:
        return self._top is None

    def full(self) -> bool:
        return 0 < self.maxsize <= self._size

    def _ring(self) -> None:
        bell, self._bell = self._bell, asyncio.Event()
        bell.set()

    async def put(self, item: T) -> None:
        while self.full() and not self._down:
            await self._bell.wait()
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if self._down:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._top = (item, self._top)
        self._size += 1
        self._open += 1
        self._idle.clear()
        self._ring()

    async def get(self) -> T:
        while self._top is None and not self._down:
            await self._bell.wait()
        return self.get_nowait()

    def get_nowait(self) -> T:
        if self._top is None:
            raise QueueShutDown if self._down else asyncio.QueueEmpty
        item: T = self._top[0]
        self._top = self._top[1]
        self._size -= 1
        self._ring()
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
        while immediate and self._top is not None:
            self.get_nowait()
            if self._open:
                self.task_done()
        self._ring()
