"""A counter and an event: a release wakes all waiters, and the first to come takes the permit.

The documentation promises fairness for Lock only, so a semaphore need not serve its waiters in turn.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from ..lock_base import Bounded, SemaphoreBase


class Semaphore(SemaphoreBase):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._more = asyncio.Event()

    async def acquire(self) -> Literal[True]:
        while not self._free:
            self._more.clear()
            await self._more.wait()
        self._free -= 1
        return True

    def release(self) -> None:
        self._free += 1
        self._more.set()


class BoundedSemaphore(Bounded, Semaphore):
    """The semaphore with a bound."""
