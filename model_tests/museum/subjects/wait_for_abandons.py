"""WAITFOR-2: when the time is over wait_for leaves what it waited for alone."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.wait_for


async def wait_for(fut: Any, timeout: Any) -> Any:
    return await original(asyncio.shield(fut), timeout)
