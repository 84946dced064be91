"""Wrong implementations of asyncio's task groups."""

import asyncio
from typing import Any


class GroupThatMissesLateTasks(asyncio.TaskGroup):
    """A group that starts a task which is created while it waits at its end, and does not wait for it.

    Breaks "While waiting, new tasks may still be added to the group", and "all tasks are awaited" at the end.
    """

    _aborting: bool
    _exiting: bool

    def __init__(self) -> None:
        super().__init__()
        self._late: list[asyncio.Task[Any]] = []

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        if not self._exiting or self._aborting or not self._tasks:
            return super().create_task(coro, **options)
        self._late.append(asyncio.get_running_loop().create_task(coro, **options))
        return self._late[-1]


class GroupThatFlattensFailures(asyncio.TaskGroup):
    """A group that takes apart an exception group which a task raises, and raises its members instead.

    Breaks "all non-cancellation exceptions are combined in an ExceptionGroup": that of the task is not in it.
    """

    _errors: list[BaseException]

    def _on_task_done(self, task: asyncio.Task[Any]) -> None:
        super()._on_task_done(task)
        while groups := [each for each in self._errors if isinstance(each, BaseExceptionGroup)]:
            index = self._errors.index(groups[0])
            self._errors[index : index + 1] = groups[0].exceptions


class GroupWhoseTasksOutliveItsBody(asyncio.TaskGroup):
    """A group that waits for its tasks before it raises an error of the body, instead of cancelling them.

    Breaks "If the body exits with an exception, this is treated the same as if one of the tasks failed".
    """

    async def __aexit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, Exception):
            try:
                while self._tasks:
                    await asyncio.wait(self._tasks)
            except asyncio.CancelledError:
                pass
        await super().__aexit__(kind, error, traceback)


class GroupThatRaisesEachBaseException(asyncio.TaskGroup):
    """A group that raises each error that is no Exception itself, as if it were a KeyboardInterrupt.

    Breaks "the exceptions are combined in a BaseExceptionGroup": only two base exceptions "are treated specially".
    """

    def _is_base_error(self, error: BaseException) -> bool:
        return not isinstance(error, (Exception, asyncio.CancelledError))


class GroupThatTakesTasksToCancelThem(asyncio.TaskGroup):
    """A group that shuts down, and still takes a new task, which it cancels, without a RuntimeError.

    Breaks "No further tasks can then be added to the group", after the first failure.
    """

    _aborting: bool
    _exiting: bool

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        if not self._aborting or (self._exiting and not self._tasks):
            return super().create_task(coro, **options)
        task = asyncio.get_running_loop().create_task(coro, **options)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)
        task.cancel()
        return task
