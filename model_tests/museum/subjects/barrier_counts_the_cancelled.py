"""BARRIER-4: a waiter that was cancelled still counts."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Barrier(asyncio.Barrier):
    async def wait(self: Any) -> int:
        try:
            return int(await super().wait())
        except asyncio.CancelledError:
            self._count += 1
            raise
