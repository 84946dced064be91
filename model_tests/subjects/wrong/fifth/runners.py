"""Wrong asyncio.Runner and asyncio.run: clean-up at the end, its order, contexts, the debug mode."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from typing import Any

_Runner: Any = asyncio.Runner  # Any: the subjects use its private parts
_State: Any = asyncio.runners._State  # type: ignore[attr-defined]
_cancel_all_tasks: Any = asyncio.runners._cancel_all_tasks  # type: ignore[attr-defined]


def _finish(runner: Any) -> None:
    """Do what Runner.close() does last."""
    if runner._set_event_loop:
        asyncio.set_event_loop(None)
    runner._loop.close()
    runner._loop = None
    runner._state = _State.CLOSED


class RunnerThatClosesGeneratorsFirst(_Runner):
    """close() closes the asynchronous generators before it cancels the tasks: one opened in a clean-up stays open.

    Breaks "Finalize asynchronous generators, shutdown default executor, close the event loop" (asyncio-runner.html,
    Runner.close()); runners.py does "_cancel_all_tasks(loop)" before "loop.shutdown_asyncgens()".
    """

    def close(self) -> None:
        if self._state is not _State.INITIALIZED:
            return
        try:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            _cancel_all_tasks(self._loop)
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        finally:
            _finish(self)


class RunnerWithAContextForEachRun(_Runner):
    """Each run() has a new copy of the context, so a variable set in one run is lost in the next.

    Breaks "The runner's default context is used if None." (asyncio-runner.html, Runner.run(), context); runners.py:
    "context = self._context"
    """

    def run(self, coro: Any, *, context: contextvars.Context | None = None) -> Any:
        return super().run(coro, context=contextvars.copy_context() if context is None else context)


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_leaves_the_loop_open_after_an_error(main: Any, *, debug: bool | None = None, **kwargs: Any) -> Any:
    """When the main coroutine fails, nothing is cleaned up: tasks stay pending and the loop stays open.

    Breaks "This function always creates a new event loop and closes it at the end." (run()'s docstring);
    runners.py: "with Runner(debug=debug, loop_factory=loop_factory) as runner"
    """
    if asyncio._get_running_loop() is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    runner = asyncio.Runner(debug=debug, **kwargs)
    result = runner.run(main)
    runner.close()
    return result
