"""Wrong asyncio.Runner and asyncio.run: Ctrl-C, the loop behind several runs, the current loop, debug mode."""

from __future__ import annotations

import asyncio
import functools
import signal
import threading
import warnings
from typing import Any

from .._parts import Runner

_State: Any = asyncio.runners._State  # type: ignore[attr-defined]


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def _interrupt(signum: int, frame: Any) -> None:
    raise KeyboardInterrupt


class RunnerThatBreaksOffAtCtrlC(Runner):
    """The first Ctrl-C raises KeyboardInterrupt wherever the code is just then (as before 3.11).

    Breaks "When signal.SIGINT is raised by Ctrl-C, the custom signal handler cancels the main task by calling
    asyncio.Task.cancel() which raises asyncio.CancelledError inside the main task."
    (asyncio-runner.html, Handling Keyboard Interruption)
    """

    def _on_sigint(self, signum: int, frame: Any, main_task: Any) -> None:
        raise KeyboardInterrupt


class RunnerThatCountsCtrlCForAllRuns(Runner):
    """The number of interrupts is not set back, so the first Ctrl-C of a later run counts as a second one.

    Breaks "the custom signal handler cancels the main task" (asyncio-runner.html, Handling Keyboard Interruption);
    runners.py, Runner.run(): `self._interrupt_count = 0`.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._interrupts = 0

    def _on_sigint(self, signum: int, frame: Any, main_task: Any) -> None:
        self._interrupts += 1
        if self._interrupts > 1:
            raise KeyboardInterrupt
        super()._on_sigint(signum, frame, main_task)


class RunnerThatKeepsItsHandlerAfterAnError(Runner):
    """The handler of SIGINT is taken off after a result and after a cancellation, but not after an error.

    Breaks "asyncio.Runner.run() installs a custom signal.SIGINT handler before any user code is executed and removes
    it when exiting from the function." (asyncio-runner.html, Handling Keyboard Interruption)
    """

    def run(self, coro: Any, *, context: Any = None) -> Any:
        usual = signal.getsignal(signal.SIGINT)
        refused = not asyncio.iscoroutine(coro) or asyncio._get_running_loop() is not None
        if refused or not _in_main_thread() or usual is not signal.default_int_handler:
            return super().run(coro, context=context)
        try:
            return super().run(coro, context=context)
        except Exception:
            signal.signal(signal.SIGINT, _interrupt)
            raise


class RunnerThatReplacesAnyHandler(Runner):
    """A handler of SIGINT that the program has installed itself is out of use during run().

    Breaks runners.py, Runner.run(): the handler is installed only if "signal.getsignal(signal.SIGINT) is
    signal.default_int_handler".
    """

    def run(self, coro: Any, *, context: Any = None) -> Any:
        if not _in_main_thread():
            return super().run(coro, context=context)
        usual = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return super().run(coro, context=context)
        finally:
            signal.signal(signal.SIGINT, usual)


class RunnerThatInsistsOnCtrlC(Runner):
    """After a Ctrl-C run() raises KeyboardInterrupt, even if the coroutine has handled it and returned a result.

    Breaks "After the main task is cancelled, asyncio.Runner.run() raises KeyboardInterrupt."
    (asyncio-runner.html, Handling Keyboard Interruption): here it is not cancelled, and "Return the coroutine's
    result or raise its exception." (Runner.run())
    """

    def run(self, coro: Any, *, context: Any = None) -> Any:
        result = super().run(coro, context=context)
        if self._interrupt_count > 0:
            raise KeyboardInterrupt
        return result


class RunnerThatTakesACancelForCtrlC(Runner):
    """If the task is cancelled by a Ctrl-C and by other code too, the cancellation of the other is lost.

    Breaks runners.py, Runner.run(): `if uncancel is not None and uncancel() == 0: raise KeyboardInterrupt()`, else
    "raise  # CancelledError"; "Return the coroutine's result or raise its exception." (asyncio-runner.html)
    """

    def run(self, coro: Any, *, context: Any = None) -> Any:
        try:
            return super().run(coro, context=context)
        except asyncio.CancelledError:
            if self._interrupt_count > 0:
                raise KeyboardInterrupt from None
            raise


class RunnerThatIsSilentAboutLeftovers(Runner):
    """An error that a leftover task raises while close() cancels it is not reported.

    Breaks runners.py, _cancel_all_tasks(): loop.call_exception_handler() with the message "unhandled exception
    during asyncio.run() shutdown".
    """

    def close(self) -> None:
        if self._state is _State.INITIALIZED and (tasks := asyncio.all_tasks(self._loop)):
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        super().close()


class RunnerThatMakesEveryLoopCurrent(Runner):
    """A loop that comes from a loop_factory becomes the current one in the place of that of the thread.

    Breaks "It is the responsibility of the loop_factory to set the created loop as the current one. By default
    asyncio.new_event_loop() is used and set as current event loop with asyncio.set_event_loop() if loop_factory is
    None." (asyncio-runner.html, Runner)
    """

    def _lazy_init(self) -> None:
        new = self._state is _State.CREATED
        super()._lazy_init()
        if new:
            asyncio.set_event_loop(self._loop)


def _current_loop() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            loop = asyncio.get_event_loop()
        except RuntimeError:
            loop = asyncio.new_event_loop()
    if loop.is_closed():
        loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    return loop


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_in_the_current_loop(main: Any, *, debug: Any = None, loop_factory: Any = None) -> Any:
    """The current event loop of the thread is used and closed, if there is one, instead of a new one.

    Breaks "This function always creates a new event loop and closes it at the end." (runners.py, run(), docstring)
    """
    if asyncio._get_running_loop() is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    try:
        with asyncio.Runner(debug=debug, loop_factory=loop_factory or _current_loop) as runner:
            return runner.run(main)
    finally:
        if loop_factory is None:
            asyncio.set_event_loop(None)
