"""TaskGroup: tasks that end before the block ends that began them.

Theory of operation.
1.  The block's end waits until every task of the group is done, tasks that were added meanwhile included (GROUP-1).
2.  The first failure, of a task or of the body, cancels all that is left, and, if it was a task's, the body too,
    where it waits (GROUP-2).  That request is the group's own: it is taken back at the end (GROUP-9, gh-95289), so it
    is not what the caller sees.  What it sees is an ExceptionGroup of all failures, with what the body raised
    (GROUP-6); a CancelledError is none (GROUP-3).  KeyboardInterrupt and SystemExit come out themselves (GROUP-8).
3.  A cancel from outside cancels the tasks, is waited out, and goes on (GROUP-4).  If there are failures as well, the
    ExceptionGroup is raised, and the request is made again, so that it strikes at the next await (GROUP-5,
    gh-116720).
4.  A group takes tasks between its beginning and its end, unless it is shutting down; what it refuses is closed
    (GROUP-7, gh-115957).

Source: CPython documentation of 3.13, "Task Groups".
"""

from __future__ import annotations

from collections.abc import Coroutine
from contextvars import Context
from types import TracebackType
from typing import Any, Self

from ..interfaces import Promise, Spawner
from ..tasks.current import running_loop

_FATAL = (KeyboardInterrupt, SystemExit)


class TaskGroup:
    """An asynchronous context manager that holds a group of tasks (asyncio.TaskGroup)."""

    __slots__ = (
        "__weakref__", "_aborting", "_all_done", "_asked_parent", "_errors", "_exiting", "_fatal", "_host", "_parent",
        "_tasks",
    )  # fmt: skip

    def __init__(self) -> None:
        self._host: Spawner | None = None  # None: not entered yet
        self._parent: Any = None  # Any: as Spawner.current
        self._tasks: dict[Promise, None] = {}  # in order of creation; a set has none
        self._errors: list[BaseException] = []
        self._fatal: BaseException | None = None
        self._all_done: Promise | None = None  # what the end of the block parks on
        self._exiting = False
        self._aborting = False
        self._asked_parent = False  # one of the requests to cancel the parent is the group's own

    # --- adding ------------------------------------------------------------------------------------------

    # Any: as Spawner.create_task; the task is that runtime's.
    def create_task(
        self, coro: Coroutine[Any, Any, Any], *, name: str | None = None, context: Context | None = None
    ) -> Any:
        """Begin a task of this group; parameters as `create_task`.

        Raises:
            RuntimeError: the group was not entered, is shutting down, or is over; `coro` is closed.
        """
        host = self._host
        trouble = self._trouble()
        if host is None or trouble:
            self._decline(coro)
            raise RuntimeError(f"{self!r} {trouble}")
        task = host.create_task(coro, name=name, context=context)
        self._tasks[task] = None
        # Also of one that is done already, eagerly: its failure must not cancel the turn that makes it (gh-128550).
        task.add_done_callback(self._ended)
        return task

    def _trouble(self) -> str:
        """Why it takes no task; nothing: it does."""
        if self._host is None:
            return "has not been entered"
        if self._exiting and not self._tasks:
            return "is finished"
        return "is shutting down" if self._aborting else ""

    @staticmethod
    def _decline(coro: Coroutine[Any, Any, Any]) -> None:  # Any: as create_task
        """What becomes of a coroutine that the group refuses; on a bridge it is the version's affair."""
        coro.close()

    # --- the block ---------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        """Begin.

        Raises:
            RuntimeError: it was entered before, or no task is running.
        """
        if self._host is not None:
            raise RuntimeError(f"{self!r} has already been entered")
        host: Spawner = running_loop()
        self._parent = host.current
        if self._parent is None:
            raise RuntimeError(f"{self!r} needs a parent task: it should be used inside one")
        self._host = host
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        host = self._host
        assert host is not None
        self._exiting = True
        cancelled = error if isinstance(error, host.Cancelled) else None
        try:
            if error is not None:
                if isinstance(error, _FATAL) and self._fatal is None:
                    self._fatal = error
                if not self._aborting:
                    self._abort()
            while self._tasks:
                cancelled = await self._wait(host) or cancelled
            if self._asked_parent and self._parent.uncancel() == 0:
                cancelled = None  # the only request was the group's own
            if self._fatal is not None:
                raise self._fatal
            if error is not None and not isinstance(error, host.Cancelled):
                self._errors.append(error)
            if self._errors:
                self._raise_errors()
            if cancelled is not None:
                raise cancelled
        finally:
            # What was raised holds this frame: it must hold neither that error nor the task that will hold it.
            del error, cancelled
            self._parent = self._fatal = None
            self._errors = []

    async def _wait(self, host: Spawner) -> BaseException | None:
        """Wait once for all tasks to be done; gives the CancelledError that shuts the group down."""
        self._all_done = host.create_future()
        try:
            await self._all_done
        except host.Cancelled as request:
            if self._aborting:
                return None  # one request more, of which the body knows, or will be told at the end
            self._abort()
            return request
        finally:
            self._all_done = None
        return None

    def _raise_errors(self) -> None:
        if self._parent.cancelling():
            # Somebody outside has asked too: the request stands, and is delivered at the next await (GROUP-5).
            self._parent.uncancel()
            self._parent.cancel()
        raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors) from None

    # --- the tasks ---------------------------------------------------------------------------------------

    def _ended(self, task: Promise) -> None:
        """A task is done."""
        del self._tasks[task]
        if not self._tasks and self._all_done is not None and not self._all_done.done():
            self._all_done.set_result(None)
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        parent = self._parent
        if parent is None or parent.done():  # it was thrown away within its block
            assert self._host is not None
            self._host.report(
                {"message": f"{task!r} has failed after its group was over", "exception": error, "task": task}
            )
            return
        self._errors.append(error)
        if isinstance(error, _FATAL) and self._fatal is None:
            self._fatal = error
        if not self._aborting:
            self._abort()
            self._asked_parent = True
            parent.cancel()

    def _abort(self) -> None:
        """Cancel all that is left."""
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
