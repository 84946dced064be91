"""SEM-1: a semaphore may begin with less than no permit."""

from __future__ import annotations

import asyncio

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Semaphore(asyncio.Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(max(value, 0))
