"""A wait with a bound of its own, which no search makes expire early as it does asyncio's timeouts.

A timeout that expires early moves the clock.  So the bound is a number of short sleeps, of which that ends one.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

#: The sleeps, and seconds of one.
SLEEPS: Final = 40
SECONDS: Final = 3.0


async def ends(task: asyncio.Future[Any]) -> bool:
    """Wait for a task, and return whether it ends within some minutes; an error of it is not raised."""
    timer = asyncio.create_task(_sleeps())
    try:
        await asyncio.wait([task, timer], return_when=asyncio.FIRST_COMPLETED)
    finally:
        timer.cancel()
    return task.done()


async def _sleeps() -> None:
    for _ in range(SLEEPS):
        await asyncio.sleep(SECONDS)


async def end(task: asyncio.Future[Any], message: str) -> None:
    """Wait for a task that must end.

    Raises:
        AssertionError: it does not; it is cancelled, and the error has the message.
    """
    if not await ends(task):
        task.cancel()
        await asyncio.wait([task], timeout=1)
        raise AssertionError(message)
