"""Wrong implementations of asyncio's task groups."""

import asyncio
from typing import Any


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
