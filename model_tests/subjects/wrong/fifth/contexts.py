"""Wrong contexts: contextvars through Task, Future's callbacks, TaskGroup, create_task and to_thread."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

_TaskGroup: Any = asyncio.TaskGroup  # Any: the subjects use its private parts


class TaskGroupWithTheContextOfItsBegin(_TaskGroup):
    """The tasks get a copy of the context as it was when the block began; a variable set in the block is lost.

    Breaks "The signature matches that of asyncio.create_task()." (asyncio-task.html, TaskGroup.create_task()) and
    "The current context copy is created when no context is provided." (create_task())
    """

    async def __aenter__(self) -> Any:
        self._context = contextvars.copy_context()
        return await super().__aenter__()

    def create_task(
        self, coro: Any, *, name: str | None = None, context: contextvars.Context | None = None
    ) -> Any:
        if context is None and self._entered:
            context = self._context.copy()
        return super().create_task(coro, name=name, context=context)
