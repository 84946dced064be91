"""A semaphore that wakes the last to come, and leaves the permit free to any task until then.

The documentation says that acquire() waits until release() is called, but not which waiter then goes on.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from ..lock_base import SemaphoreBase


class Semaphore(SemaphoreBase):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._stack: list[asyncio.Future[None]] = []

    async def acquire(self) -> Literal[True]:
        while not self._free:
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._stack.append(waiter)
            try:
                await waiter
            except BaseException:
                if waiter in self._stack:
                    self._stack.remove(waiter)
                elif self._free:
                    self._wake()  # woken and cancelled at once: another shall go
                raise
        self._free -= 1
        return True

    def _wake(self) -> None:
        while self._stack:
            waiter = self._stack.pop()
            if not waiter.done():
                waiter.set_result(None)
                return

    def release(self) -> None:
        self._free += 1
        self._wake()
