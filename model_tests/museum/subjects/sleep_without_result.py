"""SLEEP-1: sleep() gives nothing back."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.sleep


async def sleep(delay: float, result: Any = None) -> None:
    await original(delay)
