"""SEM-3: a BoundedSemaphore may be released too often."""

from __future__ import annotations

import asyncio

# `Any` in this file: a subject is as loosely typed as what it replaces.


class BoundedSemaphore(asyncio.BoundedSemaphore):
    def release(self) -> None:
        asyncio.Semaphore.release(self)
