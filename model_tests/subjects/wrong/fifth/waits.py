"""Wrong asyncio.wait, wait_for and as_completed: when they return, and what becomes of the tasks."""

from __future__ import annotations

import asyncio
import functools
from typing import Any


def _failed_or_cancelled(future: Any) -> bool:
    return future.cancelled() or future.exception() is not None


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_takes_a_cancelled_task_for_a_failed_one(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """With FIRST_EXCEPTION it returns as soon as a task is cancelled, though none has failed.

    Breaks "The function will return when any future finishes by raising an exception. If no future raises an exception
    then it is equivalent to ALL_COMPLETED." (asyncio-task.html, wait()); tasks.py, _wait(): "return_when ==
    FIRST_EXCEPTION and (not f.cancelled() and f.exception() is not None)"
    """
    if return_when != asyncio.FIRST_EXCEPTION:
        return await asyncio.wait(fs, timeout=timeout, return_when=return_when)
    clock = asyncio.get_running_loop().time
    end = None if timeout is None else clock() + timeout
    done, pending = await asyncio.wait(fs, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    while pending and not any(map(_failed_or_cancelled, done)) and (end is None or clock() < end):
        rest = None if end is None else end - clock()
        more, pending = await asyncio.wait(pending, timeout=rest, return_when=asyncio.FIRST_COMPLETED)
        done |= more
    return done, pending


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_takes_zero_for_none(fs: Any, *, timeout: float | None = None) -> Any:
    """A timeout of 0 is none: it waits for all, however long they run.

    Breaks "A TimeoutError is raised if the timeout occurs before all awaitables are done." (asyncio-task.html,
    as_completed()); tasks.py: "if todo and timeout is not None"
    """
    return asyncio.as_completed(fs, timeout=timeout or None)


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
