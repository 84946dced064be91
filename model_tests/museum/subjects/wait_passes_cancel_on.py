"""WAIT-5: a wait that is cancelled cancels what it waits for."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


original = asyncio.wait


async def wait(fs: Any, *, timeout: Any = None, return_when: str = asyncio.ALL_COMPLETED) -> Any:
    fs = list(fs)
    try:
        return await original(fs, timeout=timeout, return_when=return_when)
    except asyncio.CancelledError:
        for future in fs:
            future.cancel()
        raise
