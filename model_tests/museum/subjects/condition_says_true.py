"""COND-7: Condition.wait_for returns True, not what the predicate gave."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Condition(asyncio.Condition):
    async def wait_for(self, predicate: Any) -> Any:
        return bool(await super().wait_for(predicate))
