"""COND-4: a cancelled wait does not hold the lock again."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Condition(asyncio.Condition):
    async def wait(self) -> Any:
        try:
            return await super().wait()
        except asyncio.CancelledError:
            self.release()
            raise
