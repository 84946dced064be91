"""TaskGroup: a block that waits for the tasks that it started.

1.  The end of the block waits until every task of the group is done, including tasks that were added meanwhile
    (GROUP-1).  A task that is done is kept no longer, nor an error that was raised (LEAK-9).
2.  The first failure, of a task or of the body, cancels all remaining tasks.  If a task failed, the body is cancelled
    too, at its await (GROUP-2).  That request is the group's own: the group takes it back at the end (GROUP-9,
    gh-95289), so the caller does not see it.  The caller gets an ExceptionGroup of all failures, including the
    exception of the body (GROUP-6).  A CancelledError is not a failure (GROUP-3).  KeyboardInterrupt and SystemExit are
    raised as they are (GROUP-8).
3.  A cancel from outside cancels the tasks, waits for them, and then propagates (GROUP-4).  If tasks failed as well,
    the group raises the ExceptionGroup and repeats the request, which then acts at the next await (GROUP-5,
    gh-116720).
4.  A group accepts tasks from its beginning to its end, unless it is shutting down; it closes a coroutine that it
    refuses (GROUP-7, gh-115957).
5.  `cancel()` cancels the tasks, also one that is being started (GROUP-12), and the body; the caller does not see it
    (GROUP-10).  Before the block it acts at the entry, at its end no more (GROUP-11).  A cancel from outside that comes
    with it is raised (GROUP-4, gh-155433).

Source: CPython documentation of 3.15, "Task Groups".
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from ..interfaces import Foreign, Promise, Spawner, TaskOptions
from ..tasks.awaiters import TaskProxy
from ..tasks.current import running_loop
from ..tasks.task import Runs, Task

T = TypeVar("T")

_FATAL = (KeyboardInterrupt, SystemExit)


class TaskGroup(TaskProxy):
    """An asynchronous context manager that holds a group of tasks (asyncio.TaskGroup)."""

    __slots__ = (
        "__weakref__", "_aborting", "_all_done", "_asked_parent", "_errors", "_exiting", "_fatal", "_host", "_parent",
        "_tasks",
    )  # fmt: skip

    def __init__(self) -> None:
        self._host: Spawner | None = None  # None: not entered yet
        self._parent: Foreign = None
        self._tasks: dict[Promise, None] = {}  # in order of creation; a set has no order
        self._errors: list[BaseException] = []
        self._fatal: BaseException | None = None
        self._all_done: Promise | None = None  # the future that the end of the block waits for
        self._exiting = False
        self._aborting = False
        self._asked_parent = False  # one of the requests to cancel the parent is the group's own

    # --- adding ------------------------------------------------------------------------------------------

    def create_task(self, coro: Runs[T], **more: Unpack[TaskOptions]) -> Task[T]:
        """Start a task of this group; keywords as the loop's `create_task` (TASK-25).

        Raises:
            RuntimeError: the group was not entered, is shutting down, or is over; `coro` is closed.
        """
        host = self._host
        trouble = self._trouble()
        if host is None or trouble:
            self._decline(coro)
            raise RuntimeError(f"{self!r} {trouble}")
        task: Task[T] = host.create_task(coro, **more)
        self._tasks[task] = None
        # Also for an eager task that is already done: its failure must not cancel the step that creates it (gh-128550).
        task.add_done_callback(self._ended)
        if self._aborting and not task.done():  # an eager task that cancelled the group (gh-155418)
            task.cancel()
        return task

    def _trouble(self) -> str:
        """Why the group refuses a task; "" if it accepts one."""
        if self._host is None:
            return "has not been entered"
        if self._exiting and not self._tasks:
            return "is finished"
        return "is shutting down" if self._aborting else ""

    @staticmethod
    def _decline(coro: Runs[Any]) -> None:
        """Close a coroutine that the group refuses; a bridge to an older asyncio overrides this."""
        coro.close()

    def cancel(self) -> None:
        """Cancel the tasks of this group and its body; the block ends without CancelledError.

        Before the block the call takes effect at the entry.  On a group that shuts down already, or is over, it has no
        effect.

        Source: CPython documentation of 3.15, TaskGroup.cancel (gh-108951).
        """
        if self._host is None:
            self._aborting = True
        elif not self._trouble():
            self._shut_down()

    # --- the block ---------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Enter the block.

        Raises:
            RuntimeError: the group was entered before, or no task is running.
        """
        if self._host is not None:
            raise RuntimeError(f"{self!r} has already been entered")
        host: Spawner = running_loop()
        self._parent = host.current
        if self._parent is None:
            raise RuntimeError(f"{self!r} needs a parent task: it should be used inside one")
        self._host = host
        if self._aborting:  # cancelled before the entry
            self._shut_down()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Wait for the tasks, and suppress the CancelledError that this group alone has requested.

        Raises:
            BaseExceptionGroup: tasks or the body failed.
            KeyboardInterrupt, SystemExit: one of them raised it.
            GeneratorExit: the body alone failed, with it (GROUP-13).
            CancelledError: a cancel came from outside.
        """
        host = self._host
        assert host is not None
        self._exiting = True
        latest: BaseException | None = None  # that arrived here
        cancelled = error if isinstance(error, host.Cancelled) else None
        try:
            if error is not None:
                if isinstance(error, _FATAL) and self._fatal is None:
                    self._fatal = error
                if not self._aborting:
                    self._abort()
            while self._tasks:
                latest = await self._wait(host) or latest
                if latest is not None and not self._aborting:
                    cancelled = latest
                    self._abort()
            if self._asked_parent:
                # If a request is left, then it is from outside; else there was the group's own only.
                cancelled = (cancelled or latest) if self._parent.uncancel() else None
            if self._fatal is not None:
                raise self._fatal
            if error is not None and not isinstance(error, host.Cancelled):
                self._errors.append(error)
            if self._errors:
                self._raise_errors(error)
            if cancelled is not None:
                raise cancelled
            return True
        finally:
            # The traceback of the error holds this frame, which must hold neither the error nor the task that will.
            del error, cancelled, latest
            self._parent = self._fatal = None
            self._errors = []

    async def _wait(self, host: Spawner) -> BaseException | None:
        """Wait once for all tasks; return the CancelledError that ends this wait early, if there is one."""
        self._all_done = host.create_future()
        try:
            await self._all_done
        except host.Cancelled as request:
            return request
        finally:
            self._all_done = None
        return None

    def _raise_errors(self, of_body: BaseException | None) -> None:
        if self._parent.cancelling():
            # A request from outside is left: it is delivered at the next await (GROUP-5).
            self._parent.uncancel()
            self._parent.cancel()
        if isinstance(of_body, GeneratorExit) and len(self._errors) == 1:
            raise of_body  # an asynchronous generator is closed
        raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors) from None

    # --- the tasks ---------------------------------------------------------------------------------------

    def _ended(self, task: Promise) -> None:
        """Record that a task is done; its failure cancels the others and the parent."""
        del self._tasks[task]
        if not self._tasks and self._all_done is not None and not self._all_done.done():
            self._all_done.set_result(None)
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        parent = self._parent
        if parent is None or parent.done():  # the coroutine of the block was thrown away
            assert self._host is not None
            self._host.report(
                {"message": f"{task!r} has failed after its group was over", "exception": error, "task": task}
            )
            return
        self._errors.append(error)
        if isinstance(error, _FATAL) and self._fatal is None:
            self._fatal = error
        if not self._aborting:
            self._shut_down()

    def _shut_down(self) -> None:
        """Cancel the tasks that are left, and the body; the end of the block takes that request back."""
        self._abort()
        if self._parent is not None:
            self._asked_parent = True
            self._parent.cancel()

    def awaiter(self) -> Foreign:
        return self._parent

    def _abort(self) -> None:
        """Cancel the tasks that are left."""
        self._aborting = True
        for task in list(self._tasks):
            if not task.done():
                task.cancel()

    def __repr__(self) -> str:
        state = "cancelling" if self._aborting else "entered" if self._host is not None else ""
        parts = [f"tasks={len(self._tasks)}"] * bool(self._tasks)
        parts += [f"errors={len(self._errors)}"] * bool(self._errors)
        parts += [state] * bool(state)
        return f"<{type(self).__name__}{''.join(' ' + part for part in parts)}>"
