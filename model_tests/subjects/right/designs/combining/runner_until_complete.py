"""A runner of new_event_loop and run_until_complete; its handler of Ctrl-C is a closure over the main task.

The documentation says "This class is lazy: the loop is made when it is first needed", here on entry or by run().
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import signal
import threading
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

T = TypeVar("T")


def no_loop_runs() -> None:
    if asyncio._get_running_loop() is not None:
        raise RuntimeError("a loop runs in this thread already")


async def result_of(awaitable: Awaitable[T]) -> T:
    return await awaitable


class Runner:
    def __init__(self, *, debug: bool | None = None, loop_factory: Callable[[], Any] | None = None) -> None:
        self._debug, self._factory, self._closed = debug, loop_factory, False
        self._loop: asyncio.AbstractEventLoop | None = None

    def get_loop(self) -> asyncio.AbstractEventLoop:
        if self._closed:
            raise RuntimeError("the runner is closed")
        if self._loop is None:
            loop: asyncio.AbstractEventLoop = (self._factory or asyncio.new_event_loop)()
            if self._factory is None:
                asyncio.set_event_loop(loop)
            if self._debug is not None:
                loop.set_debug(self._debug)
            self._loop, self._context = loop, contextvars.copy_context()
        return self._loop

    def __enter__(self) -> Runner:
        no_loop_runs()
        self.get_loop()
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def run(self, coro: Awaitable[T], *, context: contextvars.Context | None = None) -> T:
        no_loop_runs()
        if not inspect.isawaitable(coro):
            raise TypeError("an awaitable was expected")
        loop = self.get_loop()
        main = coro if asyncio.iscoroutine(coro) else result_of(coro)
        task = loop.create_task(main, context=context or self._context)
        presses: list[int] = []

        def on_press(number: int, frame: object) -> None:
            presses.append(number)
            if len(presses) > 1 or task.done():
                raise KeyboardInterrupt
            loop.call_soon_threadsafe(task.cancel)

        ours = threading.current_thread() is threading.main_thread()
        ours = ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if ours:
            signal.signal(signal.SIGINT, on_press)
        try:
            return loop.run_until_complete(task)
        except asyncio.CancelledError:
            if presses and task.uncancel() == 0:
                raise KeyboardInterrupt from None
            raise
        finally:
            if ours and signal.getsignal(signal.SIGINT) is on_press:
                signal.signal(signal.SIGINT, signal.default_int_handler)

    def close(self) -> None:
        loop, self._loop, self._closed = self._loop, None, True
        if loop is None:
            return
        try:
            rest = asyncio.all_tasks(loop)
            for task in rest:
                task.cancel()
            if rest:
                loop.run_until_complete(asyncio.wait(rest))
            for task in rest:
                if not task.cancelled() and (error := task.exception()) is not None:
                    loop.call_exception_handler(
                        {"message": "a task failed at the end", "exception": error, "task": task}
                    )
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            if self._factory is None:
                asyncio.set_event_loop(None)
            loop.close()
            del self._context


def run(main: Awaitable[T], *, debug: bool | None = None, loop_factory: Any = None) -> T:
    with Runner(debug=debug, loop_factory=loop_factory) as runner:
        return runner.run(main)
