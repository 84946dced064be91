"""wait_for as a race of its task with a future that a timer ends.

The documentation says "If a timeout occurs, it cancels the task and raises TimeoutError", and names no clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def see_off(task: asyncio.Future[T]) -> None:
    """Cancel the task and wait until it has ended; if it ended in an error, raise that."""
    cancelled = None
    while not task.done():
        task.cancel()
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as request:
            cancelled = request
    if cancelled is not None:
        raise cancelled
    if not task.cancelled() and (error := task.exception()) is not None:
        raise error


async def wait_for(aw: Awaitable[T], timeout: float | None) -> T:
    task = asyncio.ensure_future(aw)
    loop = asyncio.get_running_loop()
    bell = loop.create_future()
    timer = None if timeout is None else loop.call_later(max(0, timeout), bell.set_result, None)
    try:
        await asyncio.wait([task, bell], return_when=asyncio.FIRST_COMPLETED)
    except asyncio.CancelledError:
        if not task.done():
            await see_off(task)
        raise
    finally:
        if timer is not None:
            timer.cancel()
    if task.done():
        return task.result()
    await see_off(task)
    raise TimeoutError
