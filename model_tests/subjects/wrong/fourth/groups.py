"""Wrong TaskGroup, gather, shield, wait and as_completed: what ends, what is cancelled and what comes back."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from .._parts import TaskGroup


class TaskGroupThatWrapsAnExit(TaskGroup):
    """SystemExit and KeyboardInterrupt are put into an exception group like other errors.

    Breaks "if any task fails with KeyboardInterrupt or SystemExit, the task group still cancels the remaining tasks
    and waits for them, but then the initial KeyboardInterrupt or SystemExit is re-raised instead of ExceptionGroup or
    BaseExceptionGroup." (asyncio-task.html, Task Groups); an error of the body is "treated the same".
    """

    def _is_base_error(self, exc: BaseException) -> bool:
        return False


class TaskGroupThatTakesBackAllRequests(TaskGroup):
    """When a task fails while the group is being cancelled from outside, cancelling() is 0 afterwards.

    Breaks tasks.py, Task.uncancel(): "This should be called by the party that called `cancel()` on the task
    beforehand."; taskgroups.py, TaskGroup.__aexit__(): uncancel() only `if self._parent_cancel_requested`.
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup:
            while self._parent_task.cancelling():
                self._parent_task.uncancel()
            raise


class TaskGroupThatLeavesLateTasks(TaskGroup):
    """A task that is added while the group waits already is not waited for.

    Breaks "While waiting, new tasks may still be added to the group (for example, by passing tg into one of the
    coroutines and calling tg.create_task() in that coroutine). Once the last task has finished and the async with
    block is exited, no new tasks may be added to the group." (asyncio-task.html, Task Groups)
    """

    def create_task(self, coro: Any, **options: Any) -> Any:
        task = super().create_task(coro, **options)
        if self._exiting:
            task.remove_done_callback(self._on_task_done)
            self._tasks.discard(task)
        return task


class TaskGroupThatSparesTheBodysTasks(TaskGroup):
    """An error of the body does not cancel the tasks: the group waits for them and raises the error then.

    Breaks "If the body of the async with statement exits with an exception ... this is treated the same as if one of
    the tasks failed: the remaining tasks are cancelled and then waited for" (asyncio-task.html, Task Groups)
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        if et is not None and not issubclass(et, asyncio.CancelledError):
            try:
                while self._tasks and not self._aborting:
                    await asyncio.wait(set(self._tasks))
            except asyncio.CancelledError:
                pass  # from outside, or as a task has failed
        return await super().__aexit__(et, exc, tb)


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_cancels_the_rest(*aws: Any, return_exceptions: bool = False) -> Any:
    """When an awaitable fails, those that are not done yet are cancelled.

    Breaks "If return_exceptions is False (default), the first raised exception is immediately propagated to the task
    that awaits on gather(). Other awaitables in the aws sequence won't be cancelled and will continue to run."
    (asyncio-task.html, gather())
    """
    futures = {id(aw): asyncio.ensure_future(aw) for aw in aws}
    outer = asyncio.gather(*(futures[id(aw)] for aw in aws), return_exceptions=return_exceptions)

    def cancel_the_rest(done: Any) -> None:
        if not done.cancelled() and isinstance(done.exception(), Exception):
            for future in futures.values():
                future.cancel()

    outer.add_done_callback(cancel_the_rest)
    return outer


async def _again(future: Any) -> Any:
    return await future


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_repeats_a_duplicate(fs: Any, *, timeout: float | None = None) -> Any:
    """A task that is given twice comes twice.

    Breaks tasks.py, as_completed(): `todo = {ensure_future(f, loop=loop) for f in set(fs)}`.
    """
    if asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        return asyncio.as_completed(fs, timeout=timeout)  # type: ignore[arg-type]
    seen: set[Any] = set()
    aws: list[Any] = []
    for aw in fs:
        aws.append(_again(aw) if aw in seen and asyncio.isfuture(aw) else aw)
        seen.add(aw)
    return asyncio.as_completed(aws, timeout=timeout)
