"""Running a program (run, Runner), and functions that use the running loop (sleep, create_task, current_task).

`run` makes a loop, runs one program on it and closes it, as `Loop.run` does (RUN-1).  A `Runner` runs several programs,
one after the other, on one loop with one context; tasks that one program leaves are there for the next one until
`close` (RUN-2); a closed runner keeps nothing (LEAK-11).  Neither installs a handler for SIGINT: a simulation has no
Ctrl-C, and on real sockets SocketLoop.run handles it.

Names and meanings are those of `asyncio` (CPython documentation of 3.15, "Coroutines and Tasks", "Runners");
`all_tasks` is a list, in order of creation, where asyncio has a set.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextvars import Context, copy_context
from types import TracebackType
from typing import Any, Self, TypeAlias, TypeVar, Unpack, overload

from ..combinators.ensure import as_runnable
from ..interfaces import Observer, TaskOptions
from ..loop import Loop
from ..sim.choices import Choices
from ..sim.order import Order
from ..tasks.current import our_running_loop, running_loop, running_loop_or_none
from ..tasks.task import Runs, Task

T = TypeVar("T")

#: A task with a result of any type.
AnyTask: TypeAlias = Task[Any]


class _Pause:
    """Awaiting it yields to the loop once."""

    __slots__ = ()

    def __await__(self) -> Generator[None, None, None]:
        yield None


_PAUSE = _Pause()


@overload
async def sleep(delay: float) -> None: ...
@overload
async def sleep(delay: float, result: T) -> T: ...
async def sleep(delay: float, result: T | None = None) -> T | None:
    """Wait for `delay` seconds, not less, and return `result` (SLEEP-1); 0 or less yields to the loop once.

    Sleepers wake in the order of their deadlines (SLEEP-2).

    Raises:
        ValueError: the delay is not a number (CPython 3.13).
    """
    if delay <= 0:
        await _PAUSE
        return result
    await running_loop().alarm(delay)
    return result


def create_task(coro: Runs[T], **more: Unpack[TaskOptions]) -> Task[T]:
    """`create_task` of the running loop, with the same parameters: name, context, eager_start (3.14).

    Raises:
        RuntimeError: no loop is running; `coro` is closed.
    """
    loop: Loop | None = running_loop_or_none()
    if loop is None:
        coro.close()
        raise RuntimeError("no running event loop")
    return loop.create_task(coro, **more) if more else loop.create_task(coro)  # nearly always the second


def current_task(loop: Loop | None = None) -> AnyTask | None:
    """The current task of the running loop, or of `loop` (TASK-10); None in a callback.

    Raises:
        RuntimeError: no loop is given and none is running.
    """
    task: AnyTask | None = (running_loop() if loop is None else loop).current
    return task


def all_tasks(loop: Loop | None = None) -> list[AnyTask]:
    """The tasks of the running loop, or of `loop`, that are not done, in order of creation (asyncio: a set).

    Raises:
        RuntimeError: no loop is given and none is running.
    """
    return list((running_loop() if loop is None else loop).live)


def new_event_loop() -> Loop:
    """A loop with default parameters (asyncio.new_event_loop); the caller closes it."""
    return Loop()


def run(
    main: Awaitable[T] | Runs[T],
    *,
    choices: Choices | None = None,
    order: Order = "fifo",
    observer: Observer | None = None,
    contexts: bool = True,
    loop_factory: Callable[[], Loop] | None = None,
) -> T:
    """Run a program, any awaitable, on a new loop, as asyncio.run does; the parameters are those of Loop.

    With `loop_factory`, that makes the loop, and the others are not used.

    Raises:
        TypeError: `main` cannot be awaited.
        RuntimeError: a loop runs in this thread already; a coroutine is closed.
        DeadlockError: the program cannot continue.
    """
    if our_running_loop() is not None:
        as_runnable(main).close()
        raise RuntimeError("run() cannot be called from a running event loop")
    if loop_factory is not None:
        with Runner(loop_factory=loop_factory) as runner:
            return runner.get_loop().run_until_complete(main)
    return Loop(choices, order, observer, contexts=contexts).run(main)


class Runner:
    """A context manager around a loop (asyncio.Runner).

    Parameters:
        debug: passed to the loop's `set_debug`, if it has one; None: not called.
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
        """The loop; the first call makes it.

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

    def run(self, coro: Awaitable[T], *, context: Context | None = None) -> T:
        """Run a program until it is done, in `context`, or in the runner's own, which all its programs share.

        Parameters:
            coro: a coroutine or, since 3.14, any awaitable.
            context: the context of its task; None: the runner's own.

        Raises:
            TypeError: `coro` cannot be awaited, or `context` is no Context; a coroutine is closed.
            RuntimeError: a loop runs in this thread already, or the runner is closed; a coroutine is closed.
            DeadlockError: the program cannot continue.
            BaseException: any exception that the program raises.
        """
        program = as_runnable(coro)
        try:
            if our_running_loop() is not None:
                raise RuntimeError("Runner.run() cannot be called from a running event loop")
            loop = self.get_loop()
            task = loop.create_task(program, context=self._context if context is None else context)
        except BaseException:
            program.close()
            raise
        return loop.run_until_complete(task)

    def close(self) -> None:
        """Cancel the tasks that are left, wait for them, close asynchronous generators, and close the loop.

        A second call does nothing.

        Raises:
            DeadlockError: a task catches its cancellation and blocks for ever.
        """
        loop, self._loop = self._loop, None
        if loop is None:
            return
        self._closed = True
        try:
            loop.cancel_left()
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()
