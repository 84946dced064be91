"""A linked list of nodes; all getters wait on one shielded future, all putters on another.

The documentation leaves free how the items are kept and how many waiters one item wakes.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ..queue_base import QueueBase, QueueShutDown, T

__all__ = ["Queue", "QueueShutDown"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._head: list[Any] = []  # a node is [item, next node]; an empty list ends the chain
        self._tail, self._size = self._head, 0
        self._signals: dict[str, asyncio.Future[None]] = {}

    async def _wait(self, side: str) -> None:
        if side not in self._signals:
            self._signals[side] = asyncio.get_running_loop().create_future()
        await asyncio.shield(self._signals[side])

    def _changed(self, side: str) -> None:
        if side in self._signals:
            self._signals.pop(side).set_result(None)

    def qsize(self) -> int:
        return self._size

    def _add(self, item: T) -> None:
        end: list[Any] = []
        self._tail.extend((item, end))
        self._tail = end
        self._size += 1

    def _remove(self) -> T:
        item: T = self._head[0]
        self._head = self._head[1]
        self._size -= 1
        return item

    def task_done(self) -> None:
        super().task_done()
        if not self._unfinished:
            self._changed("idle")

    async def join(self) -> None:
        if self._unfinished:
            await self._wait("idle")
