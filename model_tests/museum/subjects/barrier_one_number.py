"""BARRIER-1: all who wait are told the same number."""

from __future__ import annotations

import asyncio

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Barrier(asyncio.Barrier):
    async def wait(self) -> int:
        await super().wait()
        return 0
