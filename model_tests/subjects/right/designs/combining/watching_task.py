"""A shield made of a second task, which only watches the first and passes on its outcome.

The documentation says that a cancelled caller leaves the inner task alone; it leaves free how.
"""

from __future__ import annotations

import asyncio
from typing import Any


async def _watch(inner: asyncio.Future[Any]) -> Any:
    await asyncio.wait([inner])
    return inner.result()


def shield(arg: Any) -> asyncio.Future[Any]:
    inner = asyncio.ensure_future(arg)
    watcher: asyncio.Task[Any] = inner.get_loop().create_task(_watch(inner))
    return watcher
