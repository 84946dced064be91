"""Semaphores with tokens in an asyncio.Queue as permits: acquire() gets one, release() puts one.

The documentation speaks of an internal counter, which the number of tokens is; it does not say which task is
served first.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from ..lock_base import Bounded, SemaphoreBase


class Semaphore(SemaphoreBase):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._tokens: asyncio.Queue[None] = asyncio.Queue()
        for _ in range(value):
            self._tokens.put_nowait(None)

    def _free_now(self) -> int:
        return self._tokens.qsize()

    async def acquire(self) -> Literal[True]:
        await self._tokens.get()
        return True

    def release(self) -> None:
        self._tokens.put_nowait(None)


class BoundedSemaphore(Bounded, Semaphore):
    """The semaphore with a bound."""
