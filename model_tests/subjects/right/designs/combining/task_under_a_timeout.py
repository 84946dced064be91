"""wait_for makes a task first and then awaits it inside `async with asyncio.timeout`.

The documentation calls the awaitable "automatically scheduled as a Task" and leaves the timing to the author.
"""

from __future__ import annotations

import asyncio
from typing import Any


async def wait_for(fut: Any, timeout: float | None) -> Any:
    inner = asyncio.ensure_future(fut)
    if timeout is None or timeout > 0:
        async with asyncio.timeout(timeout):
            return await inner
    if not inner.done():
        inner.cancel()
        await asyncio.wait([inner])
        if inner.cancelled():
            raise TimeoutError
    return inner.result()
