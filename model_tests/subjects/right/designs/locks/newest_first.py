"""A condition that wakes the newest waiter first, by one future for each.

The documentation says how many of the waiting tasks notify wakes; it leaves free which ones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal, TypeVar

T = TypeVar("T")


class Condition:
    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        self._lock = asyncio.Lock() if lock is None else lock
        self._stack: list[asyncio.Future[None]] = []

    def locked(self) -> bool:
        return self._lock.locked()

    async def acquire(self) -> Literal[True]:
        return await self._lock.acquire()

    def release(self) -> None:
        self._lock.release()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("the lock is not acquired")
        while n > 0 and self._stack:
            waiter = self._stack.pop()
            if not waiter.done():
                waiter.set_result(None)
                n -= 1

    def notify_all(self) -> None:
        self.notify(len(self._stack))

    async def _acquire_surely(self) -> asyncio.CancelledError | None:
        cancelled = None
        while True:
            try:
                await self.acquire()
                return cancelled
            except asyncio.CancelledError as error:
                cancelled = error

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("the lock is not acquired")
        waiter = asyncio.get_running_loop().create_future()
        self._stack.append(waiter)
        self.release()
        try:
            await waiter
            cancelled = await self._acquire_surely()
        except asyncio.CancelledError as error:
            cancelled = await self._acquire_surely() or error
        if cancelled is not None:
            if not waiter.cancelled():
                self.notify()
            raise cancelled
        return True

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        while not (result := predicate()):
            await self.wait()
        return result
