"""LOCK-5: a waiter that is cancelled after its wake-up wakes no other."""

from __future__ import annotations

import asyncio
import collections
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Lock(asyncio.Lock):
    def _wake_up_first(self: Any) -> None:
        if any(waiter.cancelled() or waiter.done() for waiter in self._waiters or ()):
            return
        super()._wake_up_first()  # type: ignore[misc]  # typeshed does not know it

    async def acquire(self: Any) -> Any:
        if not self._locked and not self._waiters:
            self._locked = True
            return True
        if self._waiters is None:
            self._waiters = collections.deque()
        waiter = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        finally:
            self._waiters.remove(waiter)
        self._locked = True
        return True
