"""A list that only grows and a reading mark; every waiter has an event of its own.

The documentation does not say that a queue forgets an item that was taken, so history holds them all.
"""

from __future__ import annotations

import asyncio
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
        self.history: list[T] = []
        self._mark, self._done, self._open = 0, 0, True
        self._getters: list[asyncio.Event] = []
        self._putters: list[asyncio.Event] = []
        self._idle = asyncio.Event()
        self._idle.set()

    async def _wait(self, line: list[asyncio.Event]) -> None:
        event = asyncio.Event()
        line.append(event)
        try:
            await event.wait()
        except asyncio.CancelledError:
            if event in line:
                line.remove(event)
            else:
                self._wake(line, 1)
            raise

    def _wake(self, line: list[asyncio.Event], count: int) -> None:
        for event in line[:count]:
            event.set()
        del line[:count]

    def qsize(self) -> int:
        return len(self.history) - self._mark

    def empty(self) -> bool:
        return self._mark == len(self.history)

    def full(self) -> bool:
        return 0 < self.maxsize <= self.qsize()

    async def put(self, item: T) -> None:
        while self._open and self.full():
            await self._wait(self._putters)
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if not self._open:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self.history.append(item)
        self._idle.clear()
        self._wake(self._getters, 1)

    async def get(self) -> T:
        while self._open and self.empty():
            await self._wait(self._getters)
        return self.get_nowait()

    def get_nowait(self) -> T:
        if self.empty():
            raise asyncio.QueueEmpty if self._open else QueueShutDown
        self._mark += 1
        self._wake(self._putters, 1)
        return self.history[self._mark - 1]

    def _finish(self, count: int) -> None:
        self._done = min(len(self.history), self._done + count)
        if self._done == len(self.history):
            self._idle.set()

    def task_done(self) -> None:
        if self._done == len(self.history):
            raise ValueError("task_done() called too many times")
        self._finish(1)

    async def join(self) -> None:
        await self._idle.wait()

    def shutdown(self, immediate: bool = False) -> None:
        self._open = False
        if immediate:
            left, self._mark = self.qsize(), len(self.history)
            self._finish(left)
        self._wake(self._getters, len(self._getters))
        self._wake(self._putters, len(self._putters))
