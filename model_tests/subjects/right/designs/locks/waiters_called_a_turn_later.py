"""An event that schedules a call for each waiter, so all wake a turn later; it also counts its sets.

The documentation says the waiters are awakened and leaves free when they go on.
"""

from __future__ import annotations

import asyncio
from typing import Literal


class Event:
    def __init__(self) -> None:
        self.times_set = 0
        self._set = False
        self._waiters: dict[asyncio.Future[None], None] = {}

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        if not self._set:
            self._set = True
            self.times_set += 1
            for waiter in self._waiters:
                waiter.get_loop().call_soon(self._wake, waiter)

    def _wake(self, waiter: asyncio.Future[None]) -> None:
        if not waiter.done():
            waiter.set_result(None)

    def clear(self) -> None:
        self._set = False

    async def wait(self) -> Literal[True]:
        if self._set:
            return True
        waiter = asyncio.get_running_loop().create_future()
        self._waiters[waiter] = None
        try:
            await waiter
        finally:
            del self._waiters[waiter]
        return True
