"""TASK-4: sleep(0) gives up two turns."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.sleep


async def sleep(delay: float, result: Any = None) -> Any:
    if delay <= 0:
        await original(0)
    return await original(delay, result)
