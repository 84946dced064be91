"""Wrong implementations of asyncio.TaskGroup."""

import asyncio
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
