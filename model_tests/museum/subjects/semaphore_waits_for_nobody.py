"""LOCK-1: a free permit is not taken while a cancelled waiter has not left; nobody wakes who waits then."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Semaphore(asyncio.Semaphore):
    def locked(self: Any) -> bool:
        return self._value == 0 or bool(self._waiters)
