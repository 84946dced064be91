"""WAIT-2: FIRST_EXCEPTION waits for all."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.wait


async def wait(fs: Any, *, timeout: Any = None, return_when: str = asyncio.ALL_COMPLETED) -> Any:
    when = asyncio.ALL_COMPLETED if return_when == asyncio.FIRST_EXCEPTION else return_when
    return await original(fs, timeout=timeout, return_when=when)
