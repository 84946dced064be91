"""Wrong asyncio.TaskGroup, gather and shield: which errors come out, and what a cancelled child does."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

_TaskGroup: Any = asyncio.TaskGroup


class TaskGroupThatGroupsSystemExit(_TaskGroup):
    """Only KeyboardInterrupt comes out of the group as it is; SystemExit is put into a BaseExceptionGroup.

    Breaks "If any task fails with KeyboardInterrupt or SystemExit, the task group still cancels the remaining tasks
    and waits for them, but then the initial KeyboardInterrupt or SystemExit is re-raised instead of ExceptionGroup or
    BaseExceptionGroup." and, of the block: "The same special case is made" (asyncio-task.html, Task Groups)
    """

    def _is_base_error(self, exc: BaseException) -> bool:
        return isinstance(exc, KeyboardInterrupt)


class TaskGroupThatForgetsToUncancel(_TaskGroup):
    """The group cancels its parent when a task fails, and does not take that request back.

    Breaks taskgroups.py, __aexit__(): "If this flag is set we *must* call uncancel()."; "If end-user code is, for some
    reason, suppressing cancellation by catching CancelledError, it needs to call this method to remove the
    cancellation state." (asyncio-task.html, Task.uncancel())
    """

    def _on_task_done(self, task: Any) -> None:
        super()._on_task_done(task)
        self._parent_cancel_requested = False


async def _result_or_error(aw: Any) -> Any:
    try:
        return await aw
    except Exception as error:  # CancelledError is none
        return error


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_returns_no_cancellation(*aws: Any, return_exceptions: bool = False) -> Any:
    """With return_exceptions=True a cancelled child ends the whole with CancelledError, as it is no Exception.

    Breaks "If return_exceptions is True, exceptions are treated the same as successful results, and aggregated in the
    result list." and "If any Task or Future from the aws sequence is cancelled, it is treated as if it raised
    CancelledError" (asyncio-task.html, gather())
    """
    if not return_exceptions:
        return asyncio.gather(*aws)
    children = {aw: asyncio.ensure_future(aw) for aw in aws}
    return asyncio.gather(*[_result_or_error(children[aw]) for aw in aws])
