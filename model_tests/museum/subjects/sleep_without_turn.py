"""TASK-4: sleep(0) does not give up the turn."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.sleep


async def sleep(delay: float, result: Any = None) -> Any:
    return result if delay <= 0 else await original(delay, result)
