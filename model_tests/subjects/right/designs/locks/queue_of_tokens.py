"""The permits are tokens in an asyncio.Queue.

The documentation speaks of "an internal counter"; it leaves free how the count is kept.
"""

from __future__ import annotations

import asyncio
from typing import Literal


class Semaphore:
    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("the value of a semaphore must not be below 0")
        self._tokens: asyncio.Queue[int] = asyncio.Queue()
        for number in range(value):
            self._tokens.put_nowait(number)

    def locked(self) -> bool:
        return self._tokens.empty()

    async def acquire(self) -> Literal[True]:
        await self._tokens.get()
        return True

    def release(self) -> None:
        self._tokens.put_nowait(0)

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._bound = value

    def release(self) -> None:
        if self._tokens.qsize() >= self._bound:
            raise ValueError("released too many times")
        super().release()
