"""Two totals, of permits allowed and granted; all waiters shield one shared future.

The documentation leaves free which waiter gets a released permit.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from ..lock_base import Bounded, SemaphoreBase


class Semaphore(SemaphoreBase):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._granted, self._allowed = 0, value
        self._news: asyncio.Future[None] | None = None

    def _free_now(self) -> int:
        return self._allowed - self._granted

    async def acquire(self) -> Literal[True]:
        while self.locked():
            if self._news is None:
                self._news = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._news)
        self._granted += 1
        return True

    def release(self) -> None:
        self._allowed += 1
        news, self._news = self._news, None
        if news is not None:
            news.set_result(None)


class BoundedSemaphore(Bounded, Semaphore):
    """The semaphore with a bound."""
