"""A wrong wait_for: its TimeoutError comes before the cancelled task has cleaned up, against WAITFOR-2 (bpo-32751).

loopspec conform model_tests/examples/subjects/wait_for_skips_cleanup.py
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def wait_for(fut: Awaitable[T], timeout: float | None) -> T:
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
