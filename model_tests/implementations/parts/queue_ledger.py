"""Queues that share one ledger: it counts items, unfinished tasks and room; a design keeps items and waits.

The documentation fixes these counts: "raise ValueError if called more times than there were items placed".
"""

import asyncio
from typing import Generic

from .queue_base import QueueShutDown, T


class Ledger(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self._most, self._unfinished, self._shut = maxsize, 0, False
        self._all_done = asyncio.Event()

    maxsize = property(lambda self: self._most)

    def _add(self, item: T) -> None:
        raise NotImplementedError

    def _take(self) -> T:
        raise NotImplementedError

    def _changed(self) -> None:
        """Wake at least one task that can go on, or all after a shutdown."""
        raise NotImplementedError

    async def _pause(self, end: int) -> None:
        """Wait for a change: getters at end 0, putters at end 1."""
        raise NotImplementedError

    def qsize(self) -> int:
        raise NotImplementedError

    def empty(self) -> bool:
        return not self.qsize()

    def full(self) -> bool:
        return 0 < self._most <= self.qsize()

    def _open(self, end: int) -> bool:
        return self._shut or not (self.full() if end else self.empty())

    def put_nowait(self, item: T) -> None:
        if self._shut:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        if not self._unfinished:
            self._all_done = asyncio.Event()
        self._unfinished += 1
        self._add(item)
        self._changed()

    def get_nowait(self) -> T:
        if self.empty():
            raise QueueShutDown if self._shut else asyncio.QueueEmpty
        item = self._take()
        self._changed()
        return item

    async def put(self, item: T) -> None:
        while not self._open(1):
            await self._pause(1)
        self.put_nowait(item)

    async def get(self) -> T:
        while not self._open(0):
            await self._pause(0)
        return self.get_nowait()

    def _finish(self, count: int) -> None:
        self._unfinished = max(0, self._unfinished - count)
        if not self._unfinished:
            self._all_done.set()

    def task_done(self) -> None:
        if not self._unfinished:
            raise ValueError("task_done() called too many times")
        self._finish(1)

    async def join(self) -> None:
        if self._unfinished:
            await self._all_done.wait()

    def shutdown(self, immediate: bool = False) -> None:
        self._shut = True
        while immediate and self.qsize():
            self._take()
            self._finish(1)
        self._changed()
