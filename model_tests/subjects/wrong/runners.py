"""Wrong Runner classes and run() functions."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Coroutine
from typing import Any

from ._parts import Runner
from ._parts import run as _run


class NewLoopEachTime(Runner):
    """A runner whose second run() uses another loop.

    Breaks asyncio-runner, Runner.get_loop(): "Return the event loop associated with the runner instance", and Runner:
    "simplifies multiple async function calls in the same context."
    """

    def run(self: Any, coro: Any, *, context: Any = None) -> Any:
        if self._loop is not None and getattr(self, "_used", False):
            self.close()
            self._state = type(self._state)("created")
            if hasattr(self, "_set_event_loop"):
                self._set_event_loop = False
        self._used = True
        return super().run(coro, context=context)


class LeavesTasks(Runner):
    """A runner whose close() leaves tasks as they are, neither cancelled nor done.

    Breaks asyncio-runner, Runner.close(): "Finalize asynchronous generators, shutdown default executor, close the event
    loop and release embedded contextvars.Context"; run(): remaining tasks are cancelled (source: _cancel_all_tasks).
    """

    def close(self: Any) -> None:
        if self._loop is not None and not self._loop.is_closed():
            for task in asyncio.all_tasks(self._loop):
                task._log_destroy_pending = False  # type: ignore[attr-defined]  # as gather() does
            self._loop.close()
            asyncio.set_event_loop(None)
        self._state = type(self._state)("closed")


class CancelsAndLeaves(LeavesTasks):
    """A runner whose close() cancels leftover tasks, and closes the loop before they have ended.

    Breaks asyncio-runner, run(): the source cancels all tasks and waits for them
    ("loop.run_until_complete(tasks.gather(*to_cancel, return_exceptions=True))").
    """

    def close(self: Any) -> None:
        if self._loop is not None and not self._loop.is_closed():
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
        super().close()


class LeavesGenerators(Runner):
    """A runner whose close() does not finalize asynchronous generators.

    Breaks asyncio-runner, Runner.close(): "Finalize asynchronous generators."
    """

    def close(self) -> None:
        if self._loop is not None:
            self._loop.shutdown_asyncgens = functools.partial(asyncio.sleep, 0)
        super().close()


class ReopensAfterClose(Runner):
    """A runner that can run again after close().

    Breaks the source, Runner.run(): "Runner is closed" is the RuntimeError of a closed runner; asyncio-runner: close()
    releases what it embeds.
    """

    def _lazy_init(self: Any) -> None:
        if self._state.value == "closed":
            self._state = type(self._state)("created")
        super()._lazy_init()


class IgnoresTheFactory(Runner):
    """A runner that makes a loop of the default kind, whatever its loop_factory is.

    Breaks asyncio-runner, Runner: "loop_factory could be used for overriding the loop creation."
    """

    def __init__(self, *, debug: bool | None = None, loop_factory: Any = None) -> None:
        super().__init__(debug=debug)


class IgnoresDebug(Runner):
    """A runner whose loop is never in debug mode.

    Breaks asyncio-runner, Runner: "If debug is True, the event loop will be run in debug mode."
    """

    def __init__(self, *, debug: bool | None = None, loop_factory: Any = None) -> None:
        super().__init__(debug=None, loop_factory=loop_factory)


class SwallowsCancels(Runner):
    """A runner whose run() returns None if the main task was cancelled.

    Breaks asyncio-runner, Runner.run(): "Return the coroutine's result or raise its exception."
    """

    def run(self, coro: Any, *, context: Any = None) -> Any:
        try:
            return super().run(coro, context=context)
        except asyncio.CancelledError:
            return None


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_inside_a_loop(main: Coroutine[Any, Any, Any], **options: Any) -> Any:
    """A run() that a running loop can call: it uses a thread then.

    Breaks asyncio-runner, run(): "This function cannot be called when another asyncio event loop is running in the same
    thread."
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(main, **options)
    results: list[Any] = []
    thread = threading.Thread(target=lambda: results.append(_run(main, **options)))
    thread.start()
    thread.join()
    return results[0]


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_without_cleanup(main: Coroutine[Any, Any, Any], *, debug: bool | None = None, **options: Any) -> Any:
    """A run() that returns as soon as main is done, and leaves tasks and generators as they are.

    Breaks asyncio-runner, run(): "taking care of managing the asyncio event loop, finalizing asynchronous generators,
    and closing the executor."
    """
    loop = asyncio.new_event_loop()
    try:
        if debug is not None:
            loop.set_debug(debug)
        return loop.run_until_complete(main)
    finally:
        for task in asyncio.all_tasks(loop):
            task._log_destroy_pending = False  # type: ignore[attr-defined]  # as gather() does
        loop.close()


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_takes_debug_as_given(
    main: Coroutine[Any, Any, Any], *, debug: bool | None = None, **options: Any
) -> Any:
    """A run() that turns debug mode off when debug is None.

    Breaks asyncio-runner, run(): "None is used to respect the global Debug Mode settings."
    """
    return _run(main, debug=bool(debug), **options)


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_waits_for_tasks(main: Coroutine[Any, Any, Any], **options: Any) -> Any:
    """A run() that waits until all tasks are done instead of cancelling those that main left.

    Breaks the source, Runner.close(): _cancel_all_tasks() cancels them; asyncio-dev: tasks that main does not await are
    not run to their end.
    """

    async def whole() -> Any:
        result = await main
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)
        return result

    return _run(whole(), **options)
