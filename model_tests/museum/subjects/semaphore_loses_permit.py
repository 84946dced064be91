"""LOCK-6: a permit that was on its way to a cancelled waiter is lost."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Semaphore(asyncio.Semaphore):
    async def acquire(self: Any) -> Any:
        value = self._value
        try:
            return await super().acquire()
        except asyncio.CancelledError:
            if self._value > value:
                self._value -= 1
            raise
