"""Wrong contexts: contextvars through Task, Future's callbacks, TaskGroup, create_task and to_thread."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable
from typing import Any

_PyTask: Any = asyncio.tasks._PyTask  # type: ignore[attr-defined]
_PyFuture: Any = asyncio.futures._PyFuture  # type: ignore[attr-defined]
_TaskGroup: Any = asyncio.TaskGroup  # Any: the subjects use its private parts


class TaskThatCopiesItsContext(_PyTask):
    """The coroutine runs in a copy of the context that is given, so what it sets there is not seen afterwards.

    Breaks "An optional keyword-only context argument allows specifying a custom contextvars.Context for the coro to
    run in. If no context is provided, the Task copies the current context" (asyncio-task.html, Task); tasks.py:
    "self._context = context"
    """

    def __init__(self, coro: Any, *, context: contextvars.Context | None = None, **kwargs: Any) -> None:
        super().__init__(coro, context=None if context is None else context.copy(), **kwargs)


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


@functools.wraps(asyncio.to_thread, assigned=["__name__"])  # type: ignore[arg-type]
async def to_thread_forgets_the_context(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """The function in the thread does not see the context variables of the caller.

    Breaks "Also, the current contextvars.Context is propagated, allowing context variables from the event loop thread
    to be accessed in the separate thread." (asyncio-task.html, to_thread())
    """
    return await asyncio.get_running_loop().run_in_executor(None, functools.partial(func, *args, **kwargs))
