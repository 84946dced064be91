"""SEM-2: who comes later takes a permit that is on its way to a waiter."""

from __future__ import annotations

import asyncio
import collections
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Semaphore(asyncio.Semaphore):
    async def acquire(self: Any) -> Any:
        while self._value <= 0:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters = self._waiters or collections.deque()
            self._waiters.append(waiter)
            try:
                await waiter
            except BaseException:
                if waiter in self._waiters:
                    self._waiters.remove(waiter)
                if not waiter.cancelled() and self._value > 0:
                    self._next()
                raise
        self._value -= 1
        return True

    def _next(self: Any) -> None:
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    def release(self: Any) -> None:
        self._value += 1
        self._next()
