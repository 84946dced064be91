"""Wrong implementations of asyncio.TaskGroup."""

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any

# The private names of this class are Any to the type checker.
_TaskGroup: Any = asyncio.TaskGroup
_Type = type[BaseException] | None


class TaskGroupEndsWithCancelledTask(_TaskGroup):
    """A task group that cancels its other tasks when one of them is cancelled.

    Breaks "fails with an exception other than asyncio.CancelledError, the remaining tasks are cancelled".
    """

    def _on_task_done(self, task: asyncio.Task[object]) -> None:
        super()._on_task_done(task)
        if task.cancelled() and not self._aborting:
            for other in list(self._tasks):
                if not other.cancelling():
                    other.cancel()


class TaskGroupLetsBodyRun(_TaskGroup):
    """A task group that cancels the other tasks at a failure, but not its body.

    Breaks "if the body of the async with statement is still active [...], the task [...] is also cancelled".
    """

    _parent_cancel_requested: Any

    def _on_task_done(self, task: asyncio.Task[object]) -> None:
        requested, self._parent_cancel_requested = self._parent_cancel_requested, True
        super()._on_task_done(task)
        self._parent_cancel_requested = requested
        if self._errors and not self._aborting:
            self._abort()


class TaskGroupLosesErrorOfBody(_TaskGroup):
    """A task group that leaves the exception of its body out if a task failed, too.

    Breaks "The exception passed into __aexit__() [...] is also included in the exception group".
    """

    async def __aexit__(self, et: _Type, exc: BaseException | None, tb: TracebackType | None) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            failures = [e for e in group.exceptions if e is not exc]
            if failures:
                raise BaseExceptionGroup(group.message, failures) from None
            raise
        finally:
            del exc, tb  # no cycle of an error and its frame


class TaskGroupMissesLateTasks(_TaskGroup):
    """A task group that does not wait for a task that is created after its body has ended.

    Breaks "While waiting, new tasks may still be added to the group", all of which are awaited.
    """

    def create_task(self, coro: Coroutine[Any, Any, Any], **keywords: Any) -> Any:
        if self._exiting and self._tasks and not self._aborting:
            return asyncio.create_task(coro, **keywords)
        return super().create_task(coro, **keywords)


class TaskGroupUnwrapsSingleFailure(_TaskGroup):
    """A task group that raises a single failure itself, not in an ExceptionGroup.

    Breaks "those exceptions are combined in an ExceptionGroup or BaseExceptionGroup".
    """

    async def __aexit__(self, et: _Type, exc: BaseException | None, tb: TracebackType | None) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            if len(group.exceptions) > 1:
                raise
            failure = group.exceptions[0]
        finally:
            del exc, tb  # no cycle of an error and its frame
        try:
            raise failure
        finally:
            del failure


class TaskGroupSwallowsCancelAtEnd(_TaskGroup):
    """A task group that ends without an error if it is cancelled from outside while it waits for its tasks.

    Breaks "If CancelledError is explicitly caught, it should generally be propagated when clean-up is complete".
    """

    async def __aexit__(self, et: _Type, exc: BaseException | None, tb: TracebackType | None) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except asyncio.CancelledError:
            if et is None:
                return None
            raise
        finally:
            del exc, tb  # no cycle of an error and its frame
