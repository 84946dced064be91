"""Wrong asyncio.wait, wait_for and as_completed: when they return, and what becomes of the tasks."""

from __future__ import annotations

import asyncio
import functools
from typing import Any


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_leaves_the_task_when_cancelled(fut: Any, timeout: float | None) -> Any:
    """When the waiting task is cancelled, the task it waits for runs on.

    Breaks "If the wait is cancelled, the future aw is also cancelled." (asyncio-task.html, wait_for())
    """
    if timeout is not None and timeout <= 0:
        return await asyncio.wait_for(fut, timeout)
    fut = asyncio.ensure_future(fut)
    done, _ = await asyncio.wait({fut}, timeout=timeout)
    if done:
        return fut.result()
    fut.cancel()
    await asyncio.wait({fut})
    try:
        return fut.result()
    except asyncio.CancelledError as error:
        raise TimeoutError from error


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_returns_during_the_clean_up(fut: Any, timeout: float | None) -> Any:
    """When the time is over, it cancels the task and raises TimeoutError at once, while the task still cleans up.

    Breaks "The function will wait until the future is actually cancelled, so the total wait time may exceed the
    timeout." (asyncio-task.html, wait_for())
    """
    if timeout is not None and timeout <= 0:
        return await asyncio.wait_for(fut, timeout)
    fut = asyncio.ensure_future(fut)
    try:
        done, _ = await asyncio.wait({fut}, timeout=timeout)
    except asyncio.CancelledError:
        fut.cancel()
        await asyncio.wait({fut})
        raise
    if done:
        return fut.result()
    fut.cancel()
    raise TimeoutError
