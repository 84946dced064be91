"""Wrong things of asyncio at the edges of their arguments: zero, negative numbers, duplicates, wrong types, done."""

from __future__ import annotations

import asyncio
import functools
from typing import Any


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_takes_coroutines(
    fs: Any, *, timeout: float | None = None, return_when: str = "ALL_COMPLETED"
) -> Any:
    """Coroutines are wrapped in tasks, which the caller does not find in the sets, instead of being refused.

    Breaks "Changed in version 3.11: Passing coroutine objects to wait() directly is forbidden." (asyncio-task.html,
    wait()); tasks.py: raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    """
    if not asyncio.isfuture(fs) and not asyncio.iscoroutine(fs):
        fs = {asyncio.ensure_future(f) if asyncio.iscoroutine(f) else f for f in fs}
    return await asyncio.wait(fs, timeout=timeout, return_when=return_when)
