"""A counter and an event: a release wakes all waiters, and the first to come takes the permit.

The documentation promises fairness for Lock only, so a semaphore need not serve its waiters in turn.
"""

from __future__ import annotations

import asyncio
from typing import Literal


class Semaphore:
    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("the value of a semaphore must not be below 0")
        self._value, self._more = value, asyncio.Event()

    def locked(self) -> bool:
        return self._value == 0

    async def acquire(self) -> Literal[True]:
        while not self._value:
            self._more.clear()
            await self._more.wait()
        self._value -= 1
        return True

    def release(self) -> None:
        self._value += 1
        self._more.set()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._bound = value

    def release(self) -> None:
        if self._value >= self._bound:
            raise ValueError("released too many times")
        super().release()
