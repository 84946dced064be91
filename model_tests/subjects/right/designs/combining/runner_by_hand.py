"""A runner that runs its loop for ever and stops it when the main task ends.

The documentation defines the work of a runner on entry, on exit and on Ctrl-C, and leaves the calls free.
"""

from __future__ import annotations

import asyncio
import contextvars
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any


def _no_loop_runs() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("a loop runs already in this thread")


async def _await(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


class Runner:
    def __init__(
        self,
        *,
        debug: bool | None = None,
        loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
    ) -> None:
        self._debug, self._factory, self._closed = debug, loop_factory, False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._presses = 0

    def __enter__(self) -> Runner:
        self.get_loop()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def get_loop(self) -> asyncio.AbstractEventLoop:
        if self._closed:
            raise RuntimeError("the runner is closed")
        if self._loop is None:
            self._loop = (self._factory or asyncio.new_event_loop)()
            self._context = contextvars.copy_context()
            if self._factory is None:
                asyncio.set_event_loop(self._loop)
            if self._debug is not None:
                self._loop.set_debug(self._debug)
        return self._loop

    def _drive(self, awaitable: Any, context: contextvars.Context) -> asyncio.Task[Any]:
        loop = self.get_loop()
        main = loop.create_task(
            awaitable if isinstance(awaitable, Coroutine) else _await(awaitable), context=context
        )

        def on_sigint(number: int, frame: object) -> None:
            self._presses += 1
            if self._presses > 1 or main.done():
                raise KeyboardInterrupt
            main.cancel()
            loop.call_soon_threadsafe(lambda: None)

        drives = True

        def stop(_: asyncio.Task[Any]) -> None:
            if drives:  # else SystemExit has left the loop, and this call is due in the next run
                loop.stop()

        main.add_done_callback(stop)
        usual = threading.current_thread() is threading.main_thread()
        usual = usual and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if usual:
            signal.signal(signal.SIGINT, on_sigint)
        try:
            loop.run_forever()
        finally:
            drives = False
            if main.done() and not main.cancelled():
                main.exception()
            if usual and signal.getsignal(signal.SIGINT) is on_sigint:
                signal.signal(signal.SIGINT, signal.default_int_handler)
        return main

    def run(self, coro: Any, *, context: contextvars.Context | None = None) -> Any:
        _no_loop_runs()
        if not isinstance(coro, Coroutine) and not hasattr(coro, "__await__"):
            raise TypeError("a coroutine or another awaitable is needed")
        self.get_loop()
        self._presses = 0
        main = self._drive(coro, self._context if context is None else context)
        if not main.done():
            raise RuntimeError("the loop was stopped before the main task ended")
        if self._presses and main.cancelled() and main.uncancel() == 0:
            raise KeyboardInterrupt
        return main.result()

    def close(self) -> None:
        loop, self._loop, self._closed = self._loop, None, True
        if loop is None:
            return
        try:
            left = asyncio.all_tasks(loop)
            for task in left:
                task.cancel()
            if left:
                loop.run_until_complete(asyncio.wait(left))
            for task in left:
                if not task.cancelled() and task.exception() is not None:
                    loop.call_exception_handler(
                        {"message": "error at shutdown", "exception": task.exception(), "task": task}
                    )
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            if self._factory is None:
                asyncio.set_event_loop(None)
            loop.close()


def run(
    main: Any,
    *,
    debug: bool | None = None,
    loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
) -> Any:
    _no_loop_runs()
    with Runner(debug=debug, loop_factory=loop_factory) as runner:
        return runner.run(main)
