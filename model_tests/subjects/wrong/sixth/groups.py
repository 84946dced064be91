"""Wrong task groups, runners, threads and loops: each takes the place of one of asyncio's."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable
from typing import Any

from .._parts import Runner, SelectorEventLoop, TaskGroup
from .._parts import to_thread as _to_thread


class LosesLateErrors(TaskGroup):
    """A task group that keeps no error of a task that fails after the group has begun to cancel its tasks.

    Breaks asyncio-task, TaskGroup: "Once all tasks have finished, if any tasks have failed with an
    exception other than asyncio.CancelledError, those exceptions are combined in an ExceptionGroup or
    BaseExceptionGroup (as appropriate; see their documentation) which is then raised."
    """

    def _on_task_done(self, task: Any) -> None:
        late = self._aborting
        before = len(self._errors)
        super()._on_task_done(task)
        if late:
            del self._errors[before:]


class ForgetsContext(Runner):
    """A runner that runs each coroutine in a new copy of the caller's context.

    Breaks asyncio-runner, Runner.run(): "The runner's default context is used if None."
    """

    def run(self, coro: Any, *, context: contextvars.Context | None = None) -> Any:
        return super().run(coro, context=contextvars.copy_context() if context is None else context)


@functools.wraps(_to_thread, assigned=["__name__"])
async def to_thread_without_context(func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """A to_thread() that runs the function in the context of the thread.

    Breaks asyncio-task, to_thread(): "Also, the current contextvars.Context is propagated, allowing context
    variables from the event loop thread to be accessed in the separate thread."
    """
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, functools.partial(func, *args, **kwargs))


class MergesTwins(SelectorEventLoop):
    """A loop with a call_soon() that gives back the handle of an equal call that is still to run.

    Breaks asyncio-eventloop, loop.call_soon(): "Each callback will be called exactly once."
    """

    def call_soon(
        self, callback: Callable[..., object], *args: Any, context: contextvars.Context | None = None
    ) -> Any:
        for handle in self._ready:
            if not handle.cancelled() and handle._callback == callback and handle._args == args:
                return handle
        return super().call_soon(callback, *args, context=context)
