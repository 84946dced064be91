"""Wrong things of asyncio at the edges of their arguments: zero, negative numbers, duplicates, wrong types, done."""

from __future__ import annotations

import asyncio
import functools
from typing import Any


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_goes_on_below_zero(delay: float, result: Any = None) -> Any:
    """A negative delay returns without suspending the task, so others do not run.

    Breaks "sleep() always suspends the current task, allowing other tasks to run." (asyncio-task.html, Sleeping)
    """
    if delay < 0:
        return result
    return await asyncio.sleep(delay, result)


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


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_at_zero_forgets_the_result(fut: Any, timeout: float | None) -> Any:
    """With a timeout of 0 a future that is done already gives TimeoutError instead of its result.

    Breaks "Returns the result of the Future or coroutine." (wait_for.__doc__); tasks.py, wait_for(), for a timeout of
    0 and below: "if fut.done(): return fut.result()"
    """
    if timeout is not None and timeout <= 0 and asyncio.isfuture(fut) and fut.done():
        raise TimeoutError
    return await asyncio.wait_for(fut, timeout)
