"""Wrong asyncio.Future, Task, TaskGroup, Runner, gather and to_thread: which context runs what, and what it keeps."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from typing import Any

from .._parts import Future


class FutureThatKeepsOneContext(Future):
    """All callbacks without a context of their own run in the context in which the first of them was added.

    Breaks "The current context is used when no context is provided." (asyncio-future.html, add_done_callback())
    """

    _first: Any = None

    def add_done_callback(self, fn: Any, *, context: Any = None) -> None:
        if context is None and not self.done():
            if self._first is None:
                self._first = contextvars.copy_context()
            context = self._first
        super().add_done_callback(fn, context=context)


class FutureThatCopiesTheGivenContext(Future):
    """A callback runs in a copy of the context that it was given, so what it sets there cannot be seen afterwards.

    Breaks "An optional keyword-only context argument allows specifying a custom contextvars.Context for the callback
    to run in." (asyncio-future.html, add_done_callback())
    """

    def add_done_callback(self, fn: Any, *, context: Any = None) -> None:
        super().add_done_callback(fn, context=None if context is None else context.copy())


class TaskGroupThatCopiesTheContextWhenEntered(asyncio.TaskGroup):
    """Tasks without a context get a copy of the one that was current at the `async with`, not at create_task().

    Breaks "If no context is provided, the Task copies the current context" (asyncio-task.html, Task), "The signature
    matches that of asyncio.create_task()." (TaskGroup.create_task())
    """

    async def __aenter__(self) -> Any:
        self._entered_in = contextvars.copy_context()
        return await super().__aenter__()

    def create_task(self, coro: Any, *, name: Any = None, context: Any = None) -> Any:
        context = self._entered_in.copy() if context is None else context
        return super().create_task(coro, name=name, context=context)


class RunnerThatCopiesTheGivenContext(asyncio.Runner):  # type: ignore[misc]
    """run() runs the coroutine in a copy of the context that it is given, where what it sets is not seen.

    Breaks "An optional keyword-only context argument allows specifying a custom contextvars.Context for the coro to
    run in. The runner's default context is used if None." (asyncio-runner.html, Runner.run())
    """

    def run(self, coro: Any, *, context: Any = None) -> Any:
        return super().run(coro, context=None if context is None else context.copy())


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_has_one_context(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
    """Its coroutines all run in one copy of the context, so each sees what the others set.

    Breaks "If any awaitable in aws is a coroutine, it is automatically scheduled as a Task." (asyncio-task.html,
    gather()) and "If no context is provided, the Task copies the current context" (Task): a copy for each task.
    """
    context = contextvars.copy_context()
    tasks = {
        coro: asyncio.create_task(coro, context=context)
        for coro in dict.fromkeys(coros_or_futures)
        if asyncio.iscoroutine(coro)
    }
    arguments = [tasks.get(argument, argument) for argument in coros_or_futures]
    return asyncio.gather(*arguments, return_exceptions=return_exceptions)


@functools.wraps(asyncio.to_thread, assigned=["__name__"])  # type: ignore[arg-type]
async def to_thread_brings_changes_back(func: Any, /, *args: Any, **kwargs: Any) -> Any:
    """What the function sets in its context is set in the caller's context as well when it has returned.

    Breaks "the current contextvars.Context is propagated, allowing context variables from the event loop thread to be
    accessed in the separate thread" (asyncio-task.html, to_thread()); threads.py: "ctx = contextvars.copy_context()".
    """
    context: list[contextvars.Context] = []

    def call() -> Any:
        context.append(contextvars.copy_context())
        return context[0].run(func, *args, **kwargs)

    try:
        return await asyncio.to_thread(call)
    finally:
        for variable, value in context[0].items() if context else ():
            if variable.get(call) is not value:
                variable.set(value)
