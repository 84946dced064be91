"""WAIT-4: wait cancels what is not done when its time is over."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.wait


async def wait(fs: Any, *, timeout: Any = None, return_when: str = asyncio.ALL_COMPLETED) -> Any:
    done, pending = await original(fs, timeout=timeout, return_when=return_when)
    if timeout is not None:
        for future in pending:
            future.cancel()
    return done, pending
