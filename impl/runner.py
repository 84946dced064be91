"""Runner: a loop for several programs, one after the other, with one context; closed at the end.

Theory of operation.  The loop is made when it is first needed, runs each program to its end, and keeps what a
program left behind for the next one; `close` cancels all that is left, waits for it, shuts asynchronous generators
down and closes the loop (RUN-2).  `run` of a single program is `impl.run`, or `Loop.run`, which does the same (RUN-1).

In a simulation nobody presses Ctrl-C: SIGINT is left alone.  In the real world that is SocketLoop.run's affair.

Source: CPython documentation of 3.13, "Runners" (asyncio.Runner).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextvars import Context, copy_context
from types import TracebackType
from typing import Any, Self, TypeVar

from .ending import cancel_left
from .ensure import iscoroutine
from .loop import Loop
from .running import our_running_loop

T = TypeVar("T")


class Runner:
    """A context manager around a loop (asyncio.Runner).

    Parameters:
        debug: passed to the loop's `set_debug`, if it has one; None: not touched.
        loop_factory: makes the loop; None: a Loop of order fifo.
    """

    __slots__ = ("_closed", "_context", "_debug", "_loop", "_loop_factory")

    def __init__(self, *, debug: bool | None = None, loop_factory: Callable[[], Loop] | None = None) -> None:
        self._debug = debug
        self._loop_factory = Loop if loop_factory is None else loop_factory
        self._loop: Loop | None = None
        self._context: Context | None = None
        self._closed = False

    def __enter__(self) -> Self:
        self.get_loop()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get_loop(self) -> Loop:
        """The loop; it is made now, if it was not yet.

        Raises:
            RuntimeError: the runner is closed.
        """
        if self._closed:
            raise RuntimeError("Runner is closed")
        if self._loop is None:
            self._loop = self._loop_factory()
            if self._debug is not None and hasattr(self._loop, "set_debug"):
                self._loop.set_debug(self._debug)
            self._context = copy_context()
        return self._loop

    # Any: what the coroutine yields is between it and its task.
    def run(self, coro: Coroutine[Any, Any, T], *, context: Context | None = None) -> T:
        """Run a program to its end, in `context`, or in the runner's own, which all its programs share.

        Raises:
            ValueError: it is no coroutine.
            RuntimeError: a loop runs in this thread already, or the runner is closed; `coro` is closed.
            DeadlockError: it can never end.
            BaseException: what it raised.
        """
        if not iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {coro!r}")
        try:
            if our_running_loop() is not None:
                raise RuntimeError("Runner.run() cannot be called from a running event loop")
            loop = self.get_loop()
        except RuntimeError:
            coro.close()
            raise
        return loop.run_until_complete(
            loop.create_task(coro, context=self._context if context is None else context)
        )

    def close(self) -> None:
        """Cancel what is left, wait for it, shut asynchronous generators down, close the loop; twice is harmless.

        Raises:
            DeadlockError: what is left swallows its cancel and waits on.
        """
        loop, self._loop = self._loop, None
        if loop is None:
            return
        self._closed = True
        try:
            cancel_left(loop)
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()
