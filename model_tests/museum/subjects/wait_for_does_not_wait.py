"""WAITFOR-2: wait_for does not wait until the cancelled task has cleaned up."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


async def wait_for(fut: Any, timeout: Any) -> Any:
    future = asyncio.ensure_future(fut)
    try:
        done, _ = await asyncio.wait([future], timeout=timeout)
    except asyncio.CancelledError:
        future.cancel()
        raise
    if done:
        return future.result()
    future.cancel()
    raise TimeoutError
