"""Wrong messages: of cancel() and of errors that pass through Task, Future, gather, wait_for and TaskGroup."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from .._parts import Task


class TaskThatCancelsWhatItAwaitsWithoutMessage(Task):
    """cancel(msg) of a task that waits for a future cancels the future without the message, so it is lost.

    Breaks "The msg parameter is propagated from cancelled task to its awaiter." (asyncio-task.html, Task.cancel(),
    changed in 3.11); tasks.py: "self._fut_waiter.cancel(msg=msg)"
    """

    def cancel(self, msg: Any = None) -> bool:
        return bool(super().cancel(msg if self._fut_waiter is None else None))


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_takes_each_timeout_error_for_its_own(fut: Any, timeout: float | None) -> Any:
    """A TimeoutError that the awaitable itself raises in time is replaced by a new one, without its message.

    Breaks "If a timeout occurs, it cancels the task and raises TimeoutError." (asyncio-task.html, wait_for()): none
    occurs here, and tasks.py hands the error on: "return await fut"
    """
    try:
        return await asyncio.wait_for(fut, timeout)
    except TimeoutError:
        raise TimeoutError from None
