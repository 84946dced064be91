"""COND-7: wait_for() waits once, and does not look again."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Condition(asyncio.Condition):
    async def wait_for(self, predicate: Any) -> Any:
        if not predicate():
            await self.wait()
        return predicate()
