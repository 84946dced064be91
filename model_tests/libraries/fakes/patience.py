"""Waits with a bound of their own, which no search makes expire early as it does asyncio's timeouts.

A timeout that expires early moves the clock.  So the bound is a number of short sleeps: the timeout ends only one.
"""

import asyncio
from collections.abc import Awaitable
from typing import Any, Final

SLEEPS: Final = 400


async def ends(*tasks: asyncio.Future[Any], seconds: float = 120) -> bool:
    """Wait for tasks, and return whether all end within some seconds; an error of them is not raised."""
    waits = [asyncio.create_task(asyncio.wait(tasks)), asyncio.create_task(_sleeps(seconds / SLEEPS))]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    return all(task.done() for task in tasks)


async def _sleeps(seconds: float) -> None:
    for _ in range(SLEEPS):
        await asyncio.sleep(seconds)


async def ended(*tasks: Awaitable[Any], seconds: float = 10) -> bool:
    """Do the same for tasks that may fail: their errors are not reported either."""
    futures = [asyncio.ensure_future(task) for task in tasks]
    done = await ends(*futures, seconds=seconds)
    for future in futures:
        _ = future.done() and (future.cancelled() or future.exception())
    return done


async def end(task: asyncio.Future[Any], message: str) -> None:
    """Wait for a task that must end.

    Raises:
        AssertionError: it does not; it is cancelled, and the error has the message.
    """
    if not await ends(task):
        task.cancel()
        await asyncio.wait([task], timeout=1)
        raise AssertionError(message)
