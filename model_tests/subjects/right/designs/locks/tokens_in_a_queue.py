"""Semaphores whose permits are tokens in an asyncio.Queue: acquire() gets one, release() puts one.

The documentation speaks of an internal counter, which the number of tokens is; it does not say which task is
served first.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Literal


class Semaphore:
    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._tokens: asyncio.Queue[None] = asyncio.Queue()
        for _ in range(value):
            self._tokens.put_nowait(None)

    def locked(self) -> bool:
        return self._tokens.empty()

    async def acquire(self) -> Literal[True]:
        await self._tokens.get()
        return True

    def release(self) -> None:
        self._tokens.put_nowait(None)

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._bound = value

    def release(self) -> None:
        if self._tokens.qsize() >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()
