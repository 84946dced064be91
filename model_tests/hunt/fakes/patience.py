"""A wait with a bound of its own, which no search makes expire early as it does asyncio's timeouts."""

from __future__ import annotations

import asyncio
from typing import Any

#: Long, beside all that a harness waits for.
SECONDS = 60.0


async def ends(task: asyncio.Future[Any], seconds: float = SECONDS) -> bool:
    """Wait for a task, and return whether it ends within some seconds; an error of it is not raised."""
    timer = asyncio.create_task(asyncio.sleep(seconds))
    try:
        await asyncio.wait([task, timer], return_when=asyncio.FIRST_COMPLETED)
    finally:
        timer.cancel()
    return task.done()


async def end(task: asyncio.Future[Any], message: str, seconds: float = SECONDS) -> None:
    """Wait for a task that must end within some seconds.

    Raises:
        AssertionError: it does not; it is cancelled, and the error has the message.
    """
    if not await ends(task, seconds):
        task.cancel()
        await asyncio.wait([task], timeout=1)
        raise AssertionError(message)
