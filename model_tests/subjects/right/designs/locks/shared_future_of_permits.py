"""Two totals, of permits allowed and granted; all waiters shield one shared future.

The documentation leaves free which waiter gets a released permit.
"""

from __future__ import annotations

import asyncio
from typing import Literal


class Semaphore:
    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("the value of a semaphore must not be below 0")
        self._granted, self._allowed = 0, value
        self._news: asyncio.Future[None] | None = None

    def locked(self) -> bool:
        return self._granted >= self._allowed

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

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._bound = value

    def release(self) -> None:
        if self._allowed - self._granted >= self._bound:
            raise ValueError("released too many times")
        super().release()
