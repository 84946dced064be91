"""A queue of two stacks, one turned over into the other; each change releases a semaphore that waiters acquire.

The documentation says "If the queue is full, wait until a free slot is available", and leaves free how one waits.
"""

from __future__ import annotations

import asyncio

from ..queue_ledger import Ledger, T


class Queue(Ledger[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._came: list[T] = []
        self._goes: list[T] = []
        self._waiting = [0, 0]
        self._bells = asyncio.Semaphore(0), asyncio.Semaphore(0)

    def qsize(self) -> int:
        return len(self._came) + len(self._goes)

    def _add(self, item: T) -> None:
        self._came.append(item)

    def _take(self) -> T:
        if not self._goes:
            self._goes, self._came = self._came[::-1], []
        return self._goes.pop()

    def _changed(self) -> None:
        for end, bell in enumerate(self._bells):
            if self._open(end):
                for _ in range(self._waiting[end] if self._shut else min(1, self._waiting[end])):
                    bell.release()

    async def _pause(self, end: int) -> None:
        self._waiting[end] += 1
        try:
            await self._bells[end].acquire()
        finally:
            self._waiting[end] -= 1
