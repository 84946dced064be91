"""LOCK-9: releasing a lock that nobody holds does nothing."""

from __future__ import annotations

import asyncio

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Lock(asyncio.Lock):
    def release(self) -> None:
        if self.locked():
            super().release()
