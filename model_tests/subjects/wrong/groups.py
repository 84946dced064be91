"""Wrong task groups."""

from __future__ import annotations

import asyncio
from typing import Any

from ._parts import TaskGroup


class RaisesTheFirst(TaskGroup):
    """A group that raises the first error instead of an ExceptionGroup.

    Breaks asyncio-task, "Task Groups": "those exceptions are combined in an ExceptionGroup or BaseExceptionGroup (as
    appropriate; see their documentation) which is then raised."
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            raise group.exceptions[0] from None


class RaisesOneOnly(TaskGroup):
    """A group that puts only the first error into its ExceptionGroup.

    Breaks asyncio-task, "Task Groups": "Once all tasks have finished, if any tasks have failed with an exception other
    than asyncio.CancelledError, those exceptions are combined in an ExceptionGroup."
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            raise group.derive(group.exceptions[:1]) from None


class LetsSiblingsRun(TaskGroup):
    """A group that lets the other tasks run on when one fails.

    Breaks asyncio-task, "Task Groups": "The first time any of the tasks belonging to the group fails with an exception
    other than asyncio.CancelledError, the remaining tasks in the group are cancelled."
    """

    def _abort(self) -> None:
        self._aborting = True


class LetsTheBodyWait(TaskGroup):
    """A group that does not interrupt its body when a task fails.

    Breaks asyncio-task, "Task Groups": "If the body of the async with statement is still active [...], the task
    directly containing the async with statement is also cancelled."
    """

    def _on_task_done(self: Any, task: Any) -> None:
        requested, self._parent_cancel_requested = self._parent_cancel_requested, True
        aborting = self._aborting
        super()._on_task_done(task)
        self._parent_cancel_requested = requested
        if not aborting and not task.cancelled() and task.exception() is not None:
            self._abort()


class SwallowsTheCancel(TaskGroup):
    """A group that ends without an error when its parent was cancelled.

    Breaks the source, TaskGroup.__aexit__(): "Propagate CancelledError if there is one, except if there are other
    errors -- those have priority."
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except asyncio.CancelledError:
            return True


class TakesTasksWhileAborting(TaskGroup):
    """A group that starts new tasks while it shuts down.

    Breaks asyncio-task, "Task Groups": "no further tasks can then be added to the group."
    """

    def create_task(self: Any, coro: Any, **options: Any) -> Any:
        aborting, self._aborting = self._aborting, False
        try:
            return super().create_task(coro, **options)
        finally:
            self._aborting = aborting


class EndsWithAChild(TaskGroup):
    """A group that shuts down when one of its tasks is cancelled.

    Breaks asyncio-task, "Task Groups": only a task that "fails with an exception other than asyncio.CancelledError"
    makes the group cancel the others.
    """

    def _on_task_done(self, task: Any) -> None:
        super()._on_task_done(task)
        if task.cancelled() and not self._aborting:
            self._abort()


class RaisesTheBodyError(TaskGroup):
    """A group that raises the body's own error as it is.

    Breaks asyncio-task, "Task Groups": "if the body of the async with statement exits with an exception [...] this is
    treated the same as if one of the tasks failed: the remaining tasks are cancelled and then waited for, and
    non-cancellation exceptions are grouped into an exception group and raised."
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            if exc is not None and group.exceptions == (exc,):
                raise exc from None
            raise


class LeavesWhenCancelled(TaskGroup):
    """A group that cancels its tasks when its parent is cancelled, and does not wait for them.

    Breaks asyncio-task, "Task Groups": "The async with statement will wait for all tasks in the group to finish."
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        if et is not None and issubclass(et, asyncio.CancelledError) and not self._parent_cancel_requested:
            self._exiting = True
            self._abort()
            return None
        return await super().__aexit__(et, exc, tb)
