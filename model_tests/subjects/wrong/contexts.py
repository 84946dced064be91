"""Wrong tasks, futures, groups and runners that run code in another context."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Coroutine
from typing import Any

from ._parts import Future, Runner, Task


class SharesTheContext(Task):
    """A task that runs in the context of the task that made it, not in a copy.

    Breaks asyncio-task, Task: "If no context is provided, the Task copies the current context and later runs its
    coroutine in the copied context."
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        maker = asyncio.current_task()
        if options.get("context") is None and maker is not None and hasattr(maker, "_context"):
            options["context"] = maker._context
        super().__init__(coro, **options)


class StartsFromEmpty(Task):
    """A task that runs in an empty context if none is given.

    Breaks asyncio-task, Task: "If no context is provided, the Task copies the current context."
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        if options.get("context") is None:
            options["context"] = contextvars.Context()
        super().__init__(coro, **options)


class IgnoresTheContext(Task):
    """A task that copies the current context although another one was given.

    Breaks asyncio-task, Task: "An optional keyword-only context argument allows specifying a custom contextvars.Context
    for the coro to run in."
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        super().__init__(coro, **{**options, "context": None})


class CopiesTheGiven(Task):
    """A task that runs in a copy of the context that it was given.

    Breaks asyncio-task, Task: "a custom contextvars.Context for the coro to run in" - what the coroutine sets must be
    seen in it.
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        if options.get("context") is not None:
            options["context"] = options["context"].copy()
        super().__init__(coro, **options)


class NewContextEachStep(Task):
    """A task that runs each step in a fresh copy of its first context, so that it forgets what it set.

    Breaks asyncio-task, Task: "the Task copies the current context and later runs its coroutine in the copied context."
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        super().__init__(coro, **options)
        self._first_context = self._context.copy()

    def _Task__step(self, exc: Any = None) -> None:
        self._first_context.copy().run(super()._Task__step, exc)


class CallsBackWhereSet(Future):
    """A future whose callbacks run in the context of the code that sets its result.

    Breaks asyncio-future, Future.add_done_callback(): "The current context is used when no context is provided" - that
    of add_done_callback().
    """

    def set_result(self: Any, result: Any) -> None:
        here = contextvars.copy_context()
        self._callbacks = [(callback, here) for callback, _ in self._callbacks]
        super().set_result(result)


class CallsBackElsewhere(Future):
    """A future that ignores the context of add_done_callback().

    Breaks asyncio-future, Future.add_done_callback(): "An optional keyword-only context argument allows specifying a
    custom contextvars.Context for the callback to run in."
    """

    def add_done_callback(self, fn: Any, *, context: Any = None) -> None:
        super().add_done_callback(fn)


class RunnerIgnoresTheContext(Runner):
    """A runner whose run() ignores the context.

    Breaks asyncio-runner, Runner.run(): "An optional keyword-only context argument allows specifying a custom
    contextvars.Context for the code to run in."
    """

    def run(self, coro: Any, *, context: Any = None) -> Any:
        return super().run(coro)


@functools.wraps(asyncio.create_task, assigned=["__name__"])
def create_task_ignores_the_context(
    coro: Coroutine[Any, Any, Any], *, name: str | None = None, context: Any = None
) -> asyncio.Task[Any]:
    """A create_task() that ignores the context.

    Breaks asyncio-task, create_task(): "An optional keyword-only context argument allows specifying a custom
    contextvars.Context for the coro to run in."
    """
    return asyncio.get_running_loop().create_task(coro, name=name)
