"""Wrong task groups."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from impl.combinators.taskgroup import TaskGroup
from impl.tasks.current import running_loop
from impl.tasks.task import Runs

from .mutant import breaks

#: A task of any result.
AnyTask = Any


@breaks("GROUP-2", "contract: a failure cancels the other tasks")
class GroupFailureCancelsNothing(TaskGroup):
    """A failure does not cancel the other tasks."""

    def _abort(self) -> None:
        pass


@breaks("GROUP-2", "contract: all failures are raised")
class GroupRaisesFirstFailure(TaskGroup):
    """Only the first of several failures is raised."""

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        try:
            return await super().__aexit__(kind, error, trace)
        except BaseExceptionGroup as group:
            raise group.derive(group.exceptions[:1]) from None


@breaks("GROUP-7", "contract: a finished group takes no task")
class GroupAcceptsAfterEnd(TaskGroup):
    """A task can be added to a group that is finished."""

    def create_task(self, coro: Runs[Any], **more: Any) -> AnyTask:
        if self._exiting and not self._tasks:
            return running_loop().create_task(coro)
        return super().create_task(coro, **more)


@breaks("TASK-11", "contract: a task runs in the context that it was given")
class GroupDropsContext(TaskGroup):
    """The group makes its tasks in the context of the body, whatever context they were given."""

    def create_task(self, coro: Runs[Any], **more: Any) -> AnyTask:
        return super().create_task(coro, **{**more, "context": None})
