"""Wrong task groups."""

from __future__ import annotations

from typing import Any

from .._parts import TaskGroup


class LeavesLateTasks(TaskGroup):
    """A group that does not wait for the tasks that its tasks create after the end of its body.

    Breaks "While waiting, new tasks may still be added to the group" (Task groups)."""

    def create_task(self, coro: Any, **kwargs: Any) -> Any:
        if self._exiting and self._tasks and not self._aborting:
            return self._loop.create_task(coro, **kwargs)
        return super().create_task(coro, **kwargs)


class TakesTheCancelBack(TaskGroup):
    """A group that takes a cancel from outside back when it raises a failure.

    Breaks "a CancelledError will be raised at the next await, so the cancellation is not lost" (Task groups)."""

    async def __aexit__(self, *args: Any) -> Any:
        task = self._parent_task
        try:
            return await super().__aexit__(*args)
        except BaseExceptionGroup:
            task.uncancel()
            raise


class OverlooksTheEager(TaskGroup):
    """A group that does not look at a task that is done when it is created: the failure of an eager one is lost.

    Breaks "if any tasks have failed [...], those exceptions are combined in an ExceptionGroup" (Task groups)."""

    def create_task(self, coro: Any, **kwargs: Any) -> Any:
        task = super().create_task(coro, **kwargs)
        if task.done():
            task.remove_done_callback(self._on_task_done)
            self._tasks.discard(task)
        return task


class DropsTheErrorOfTheBody(TaskGroup):
    """A group that raises the failures of its tasks without the error of its body.

    Breaks "The exception passed into __aexit__() [...] is also included in the exception group" (Task groups)."""

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        try:
            return await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            failures = [error for error in group.exceptions if error is not exc]
            if exc is None or not failures:
                raise
            raise BaseExceptionGroup(group.message, failures) from None


class OneCancelIsForAll(TaskGroup):
    """A group that cancels all its tasks when one of them is cancelled.

    Breaks "fails with an exception other than CancelledError, the remaining tasks [...] are cancelled" (groups)."""

    def _on_task_done(self, task: Any) -> None:
        super()._on_task_done(task)
        for other in self._tasks if task.cancelled() else ():
            if not other.cancelling():
                other.cancel()


class CancelsForEachFailure(TaskGroup):
    """A group that cancels its body for each failure, but takes one request back.

    Breaks "correct preservation of cancellation counts" (Task groups, changed in 3.13)."""

    def _on_task_done(self, task: Any) -> None:
        again = self._parent_cancel_requested
        super()._on_task_done(task)
        if again and not task.cancelled() and task.exception() is not None:
            self._parent_task.cancel()
