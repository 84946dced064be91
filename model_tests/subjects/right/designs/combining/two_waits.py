"""wait_for by asyncio.wait twice: once with the timeout, and once more for the end of the cancelled task.

The documentation says that the task is cancelled and awaited after the timeout, and leaves the clock
free.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def wait_for(aw: Awaitable[T], timeout: float | None) -> T:
    inner = asyncio.ensure_future(aw)
    stop: asyncio.CancelledError | None = None
    late = False
    if timeout is not None and timeout <= 0:
        late = inner.cancel()  # False if it is done already
    while not inner.done():
        try:
            await asyncio.wait([inner], timeout=None if late or stop else timeout)
        except asyncio.CancelledError as error:
            if inner.done():
                raise
            stop = error
            inner.cancel(*error.args[:1])
        else:
            if not late and stop is None:
                late = inner.cancel()
    if stop is not None:
        if not inner.cancelled() and (failure := inner.exception()) is not None:
            raise failure
        raise stop
    if late and inner.cancelled():
        try:
            inner.result()
        except asyncio.CancelledError as error:
            raise TimeoutError from error
    return inner.result()
