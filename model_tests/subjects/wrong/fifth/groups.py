"""Wrong asyncio.TaskGroup, gather and shield: which errors come out, and what a cancelled child does."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

_TaskGroup: Any = asyncio.TaskGroup


class TaskGroupThatLeavesTheErrorOfTheBlockBare(_TaskGroup):
    """An error of the block itself leaves the group as it is, not in an ExceptionGroup.

    Breaks "The exception passed into __aexit__(), unless it is asyncio.CancelledError, is also included in the
    exception group." (asyncio-task.html, Task Groups)
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            if group.exceptions == (exc,):
                return None  # the block's error goes on
            raise


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


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_waits_for_a_cancelled_task(arg: Any) -> Any:
    """When the shielded task is cancelled by other means, the shield stays pending for ever.

    Breaks "If something() is cancelled by other means (i.e. from within itself) that would also cancel shield()."
    (asyncio-task.html, Shielding From Cancellation)
    """
    inner = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    outer = inner.get_loop().create_future()

    def on_inner_done(_: Any) -> None:
        if outer.done() or inner.cancelled():
            return
        error = inner.exception()
        if error is not None:
            outer.set_exception(error)
        else:
            outer.set_result(inner.result())

    inner.add_done_callback(on_inner_done)
    outer.add_done_callback(lambda _: inner.remove_done_callback(on_inner_done))
    return outer
