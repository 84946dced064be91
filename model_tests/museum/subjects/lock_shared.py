"""LOCK-7: a lock is taken at once while another is about to take it."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Lock(asyncio.Lock):
    async def acquire(self: Any) -> Any:
        if not self._locked:
            self._locked = True
            return True
        return await super().acquire()
