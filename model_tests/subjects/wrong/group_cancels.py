"""Wrong TaskGroup.cancel (Python 3.15 and newer)."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from ._parts import TaskGroup

if sys.version_info >= (3, 15):

    class _Noting(TaskGroup):
        """A group that notes that cancel() was called."""

        _stopped = False

        def cancel(self) -> None:
            self._stopped = True
            super().cancel()

    class SwallowsACancelFromOutside(_Noting):
        """A cancelled group that ends without an error though its parent was cancelled, too.

        Breaks gh-155433: "the remaining cancellation is not ours, don't drop it" (taskgroups.py, __aexit__)
        """

        async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
            try:
                return await super().__aexit__(et, exc, tb)
            except asyncio.CancelledError:
                if self._stopped:
                    return True
                raise

    class LeavesCancellingAtOne(_Noting):
        """A cancelled group that catches the CancelledError and does not take its request back.

        Breaks asyncio-task, Task.uncancel(): "This allows for elements of structured concurrency like Task Groups and
        timeout() to continue running, isolating cancellation to the respective structured block."
        """

        async def __aexit__(self: Any, et: Any, exc: Any, tb: Any) -> Any:
            if self._stopped:
                self._parent_cancel_requested = False
            try:
                return await super().__aexit__(et, exc, tb)
            except asyncio.CancelledError:
                if self._stopped:
                    return True
                raise

    class ForgetsACancelBeforeItsEntry(TaskGroup):
        """A group on which cancel() has no effect before the block.

        Breaks TaskGroup.cancel(): "If `cancel()` is called before entering the task group, the group will be cancelled
        upon entry."
        """

        def cancel(self) -> None:
            if self._entered:
                super().cancel()

    class DropsTheErrorsOfTasks(_Noting):
        """A cancelled group that drops the errors of its tasks.

        Breaks asyncio-task, "Task Groups": "Once all tasks have finished, if any tasks have failed with an exception
        other than asyncio.CancelledError, those exceptions are combined in an ExceptionGroup."
        """

        async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
            try:
                return await super().__aexit__(et, exc, tb)
            except BaseExceptionGroup:
                if self._stopped:
                    return True
                raise

    class SparesATaskThatStarts(TaskGroup):
        """A group that does not cancel the task that cancels the group in its eager step.

        Breaks gh-155418: "an eager task can cancel the group before joining _tasks" (taskgroups.py, create_task)
        """

        def create_task(self: Any, coro: Any, **options: Any) -> Any:
            if not self._entered or self._aborting or (self._exiting and not self._tasks):
                return super().create_task(coro, **options)
            task = self._loop.create_task(coro, **options)
            self._tasks.add(task)
            task.add_done_callback(self._on_task_done)
            return task

    class GroupsAnExitOfItsGenerator(TaskGroup):
        """A group that puts the GeneratorExit of its body into a BaseExceptionGroup, as before 3.15.

        Breaks gh-135736: "If the *only* error is a GeneratorExit from the body of the group, then instead of raising
        an ExceptionGroup we raise GeneratorExit." (taskgroups.py, __aexit__)
        """

        async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
            try:
                return await super().__aexit__(et, exc, tb)
            except GeneratorExit as error:
                raise BaseExceptionGroup("unhandled errors in a TaskGroup", [error]) from None
