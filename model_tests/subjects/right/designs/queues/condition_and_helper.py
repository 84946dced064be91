"""A real Condition, which a helper task notifies because put_nowait cannot wait for the lock.

The documentation leaves free how many turns of the loop a wake-up takes.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable
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
        self._open, self._unfinished, self._waiting = True, 0, 0
        self._change, self._idle = asyncio.Condition(), asyncio.Event()
        self._idle.set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._helpers: set[asyncio.Task[None]] = set()

    async def _notify(self) -> None:
        async with self._change:
            self._change.notify_all()

    def _tell(self) -> None:
        if self._waiting and self._loop is not None:
            helper = self._loop.create_task(self._notify())
            self._helpers.add(helper)
            helper.add_done_callback(self._helpers.discard)

    async def _until(self, ready: Callable[[], bool]) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            async with self._change:
                await self._change.wait_for(ready)
        finally:
            self._waiting -= 1

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    async def put(self, item: T) -> None:
        while self._open and self.full():
            await self._until(lambda: not self._open or not self.full())
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if not self._open:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._items.append(item)
        self._unfinished += 1
        self._idle.clear()
        self._tell()

    async def get(self) -> T:
        while self._open and not self._items:
            await self._until(lambda: not self._open or bool(self._items))
        return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._items:
            raise asyncio.QueueEmpty if self._open else QueueShutDown
        self._tell()
        return self._items.popleft()

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
        self._tell()
