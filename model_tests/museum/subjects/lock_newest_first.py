"""LOCK-10: the newest waiter gets the lock."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Lock(asyncio.Lock):
    def release(self: Any) -> None:
        if self._waiters:
            self._waiters.reverse()
        super().release()
