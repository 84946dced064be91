"""Wrong asyncio.Runner and asyncio.run: contexts, loops, leftover tasks, generators, threads, nested use."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine
from typing import Any

from .._parts import Runner

_runners: Any = asyncio.runners
_LoopFactory = Callable[[], asyncio.AbstractEventLoop]


class RunnerThatCopiesTheContextTooEarly(Runner):
    """The constructor copies the context, so what is set between it and the `with` is not seen by the coroutines.

    Breaks "Runner uses the lazy initialization strategy, its constructor doesn't initialize underlying low-level
    structures. Embedded loop and context are created at the with body entering or the first call of run() or
    get_loop()." (asyncio-runner.html, Runner context manager)
    """

    def __init__(self, *, debug: bool | None = None, loop_factory: _LoopFactory | None = None) -> None:
        super().__init__(debug=debug, loop_factory=loop_factory)
        self._first_context = contextvars.copy_context()

    def _lazy_init(self) -> None:
        super()._lazy_init()
        self._context = self._first_context


class RunnerThatKeepsTheLastContext(Runner):
    """A context given to one run() becomes the default of the runs after it.

    Breaks "An optional keyword-only context argument allows specifying a custom contextvars.Context for the coro to
    run in. The runner's default context is used if None." (asyncio-runner.html, Runner.run())
    """

    def run(self, coro: Coroutine[Any, Any, Any], *, context: contextvars.Context | None = None) -> Any:
        if context is not None:
            self._lazy_init()
            self._context = context
        return super().run(coro)


class _OwnClose(Runner):
    """A right runner whose close() is written anew."""

    _loop: Any

    def close(self) -> None:
        if self._state is _runners._State.INITIALIZED:
            try:
                self._end(self._loop)
            finally:
                self._close_loop()

    def _end(self, loop: Any) -> None:
        """End what the loop still runs."""

    def _close_loop(self) -> None:
        if self._set_event_loop:
            asyncio.set_event_loop(None)
        self._loop.close()
        self._loop = None
        self._state = _runners._State.CLOSED


class RunnerThatClosesGeneratorsBeforeTasks(_OwnClose):
    """close() finalizes the async generators first and then cancels the tasks: those that they begin late stay open.

    Breaks "Finalize asynchronous generators, shutdown default executor, close the event loop and release embedded
    contextvars.Context." (asyncio-runner.html, Runner.close()); runners.py, Runner.close(), cancels all the tasks
    before loop.shutdown_asyncgens(), so a generator that a task begins while it cleans up is finalized too.
    """

    def _end(self, loop: Any) -> None:
        loop.run_until_complete(loop.shutdown_asyncgens())
        _runners._cancel_all_tasks(loop)
        loop.run_until_complete(loop.shutdown_default_executor())


class RunnerThatDropsTheCurrentLoop(Runner):
    """close() unsets the thread's current event loop even if it was another one, with a loop_factory.

    Breaks "It is the responsibility of the loop_factory to set the created loop as the current one. By default
    asyncio.new_event_loop() is used and set as current event loop with asyncio.set_event_loop() if loop_factory is
    None." (asyncio-runner.html, Runner); with a loop_factory the runner has no business with the current loop.
    """

    def close(self) -> None:
        if self._state is _runners._State.INITIALIZED:
            try:
                super().close()
            finally:
                asyncio.set_event_loop(None)


class RunnerThatCannotDisableDebug(Runner):
    """debug=False is taken for debug=None: a loop that is in debug mode stays in it.

    Breaks "If debug is True, the event loop will be run in debug mode. False disables debug mode explicitly. None is
    used to respect the global Debug Mode settings." (asyncio-runner.html, Runner)
    """

    def __init__(self, *, debug: bool | None = None, loop_factory: _LoopFactory | None = None) -> None:
        super().__init__(debug=debug or None, loop_factory=loop_factory)


class RunnerThatSchedulesBeforeItLooks(Runner):
    """run() in a running loop fails only after it has made the task, which the next run() then runs.

    Breaks "This function cannot be called when another asyncio event loop is running in the same thread."
    (asyncio-runner.html, Runner.run()); runners.py, Runner.run(), looks for a running loop before create_task().
    """

    def run(self, coro: Coroutine[Any, Any, Any], *, context: contextvars.Context | None = None) -> Any:
        if asyncio._get_running_loop() is not None and asyncio.iscoroutine(coro):
            self._lazy_init()
            self._loop.create_task(coro, context=self._context if context is None else context)
            raise RuntimeError("Runner.run() cannot be called from a running event loop")
        return super().run(coro, context=context)


class RunnerThatStaysOpenAfterAnError(_OwnClose):
    """close() leaves the loop open if a leftover task ends with SystemExit: the clean-up is in no `finally`.

    Breaks "Finalize asynchronous generators, shutdown default executor, close the event loop and release embedded
    contextvars.Context." (asyncio-runner.html, Runner.close()); runners.py, Runner.close(), has loop.close() in a
    `finally`.
    """

    def close(self) -> None:
        if self._state is not _runners._State.INITIALIZED:
            return
        loop = self._loop
        _runners._cancel_all_tasks(loop)
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        self._close_loop()


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_leaves_the_threads(
    main: Coroutine[Any, Any, Any], *, debug: bool | None = None, loop_factory: _LoopFactory | None = None
) -> Any:
    """The default executor is not waited for: its threads still work when run() has returned (as before 3.9).

    Breaks "This function runs the passed coroutine, taking care of managing the asyncio event loop, finalizing
    asynchronous generators, and closing the threadpool." (asyncio-runner.html, run())
    """
    _forbid_a_running_loop()
    with _RunnerThatLeavesTheThreads(debug=debug, loop_factory=loop_factory) as runner:
        return runner.run(main)


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_closes_only_after_success(
    main: Coroutine[Any, Any, Any], *, debug: bool | None = None, loop_factory: _LoopFactory | None = None
) -> Any:
    """The loop is closed, and its leftover tasks cancelled, only if the coroutine returns; not if it raises.

    Breaks "This function always creates a new event loop and closes it at the end." (asyncio-runner.html, run())
    """
    _forbid_a_running_loop()
    runner = asyncio.Runner(debug=debug, loop_factory=loop_factory)
    result = runner.run(main)
    runner.close()
    return result


class _RunnerThatLeavesTheThreads(_OwnClose):
    def _end(self, loop: Any) -> None:
        _runners._cancel_all_tasks(loop)
        loop.run_until_complete(loop.shutdown_asyncgens())


def _forbid_a_running_loop() -> None:
    if asyncio._get_running_loop() is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
