"""A linked list of nodes; all getters wait on one shielded future, all putters on another.

The documentation leaves free how the items are kept and how many waiters one item wakes.
"""

from __future__ import annotations

import asyncio
import sys
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
        self._head: list[Any] = []  # a node is [item, next node]; an empty list ends the chain
        self._tail, self._size, self._unfinished, self._open = self._head, 0, 0, True
        self._signals: dict[str, asyncio.Future[None]] = {}

    async def _wait(self, name: str) -> None:
        if name not in self._signals:
            self._signals[name] = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._signals[name])

    def _fire(self, *names: str) -> None:
        for name in names:
            if name in self._signals:
                self._signals.pop(name).set_result(None)

    def qsize(self) -> int:
        return self._size

    def empty(self) -> bool:
        return not self._head

    def full(self) -> bool:
        return 0 < self.maxsize <= self._size

    async def put(self, item: T) -> None:
        while self._open and self.full():
            await self._wait("place")
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if not self._open:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        end: list[Any] = []
        self._tail.extend((item, end))
        self._tail = end
        self._size += 1
        self._unfinished += 1
        self._fire("item")

    async def get(self) -> T:
        while self._open and not self._head:
            await self._wait("item")
        return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._head:
            raise asyncio.QueueEmpty if self._open else QueueShutDown
        item: T = self._head[0]
        self._head = self._head[1]
        self._size -= 1
        self._fire("place")
        return item

    def task_done(self) -> None:
        if not self._unfinished:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if not self._unfinished:
            self._fire("idle")

    async def join(self) -> None:
        if self._unfinished:
            await self._wait("idle")

    def shutdown(self, immediate: bool = False) -> None:
        self._open = False
        while immediate and self._head:
            self.get_nowait()
            if self._unfinished:
                self.task_done()
        self._fire("place", "item")
