"""Loop: the kernel with asyncio's names: call_soon, call_later, create_task, run_until_complete, close.

Inside, time is an int of virtual nanoseconds; here it becomes a float of seconds.  A loop is made, runs programs, and
is closed; `run` does the three for one program and cancels the program's leftovers, as asyncio.run does.  `close`
closes the tasks that are left, in order of creation, so that no coroutine is left un-awaited, no task leaked, and no
cycle of references left.

Names and meanings are those of `asyncio` (CPython documentation of 3.15, "Event Loop", "Runners").  Differences: time
is virtual, so a program that cannot continue raises DeadlockError, and one that spins, waiting for a timer that
asyncio's clock would reach, LivelockError; `contexts=False` runs without contextvars, which is faster; all_tasks is a
list; the loop holds its tasks until they are done, so the garbage collector removes none of them, and a task is
"destroyed but pending" only with a loop that was never closed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import Context, copy_context
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from .combinators.ensure import as_runnable
from .errors import PACKAGE, CancelledError, DeadlockError
from .interfaces import CancelTarget, Observer, Runnable
from .sim.choices import Choices
from .sim.inject import NOTHING, Injection
from .sim.kernel import TURNS_MAX, Kernel
from .sim.loop_base import AnyGenerator, AsyncGenRegistry, LoopBase, all_done
from .sim.order import Order, ReadyQueue
from .tasks.callback import Callback, TimerHandle
from .tasks.current import set_running_loop
from .tasks.future import CancelForwarder, Future
from .tasks.task import Runs, Task

T = TypeVar("T")

# Any: asyncio's context dict has values of many types.
Handler = Callable[["Loop", dict[str, Any]], object]

NS_PER_SECOND = 1_000_000_000  # nanoseconds in a second
#: A time, in nanoseconds, that no run reaches: 146 years; later ones, and infinity, count as this.
MAX_TIME = 1 << 62


class Loop(Kernel, LoopBase):
    """A deterministic event loop in virtual time.

    Parameters, beside those of Kernel:
        contexts: whether tasks (TASK-11) and callbacks have contextvars contexts of their own.
        late_ms_max: how late, in milliseconds, `choices` may make a timer (a sleep promises "not before"); it replaces
            that of `inject`.
        eager: whether a task that is made while the loop runs takes its first step at once (TASK-14), as with
            asyncio's eager_task_factory: the coroutine runs within create_task to where it first waits.
    """

    __slots__ = ("_begun", "_closed", "_contexts", "_eager", "_handler", "_running")

    #: The CancelledError of tasks on this loop (interfaces.Maker).
    Cancelled: ClassVar[type[BaseException]] = CancelledError

    _set_running = staticmethod(set_running_loop)

    def __init__(
        self,
        choices: Choices | None = None,
        order: Order = "fifo",
        observer: Observer | None = None,
        turns_max: int = TURNS_MAX,
        *,
        contexts: bool = True,
        late_ms_max: int = 0,
        eager: bool = False,
        ready: ReadyQueue | None = None,
        inject: Injection = NOTHING,
    ) -> None:
        self._closed = True  # until its parameters are accepted
        if late_ms_max:
            if late_ms_max < 0 or choices is None:
                raise ValueError(f"late_ms_max={late_ms_max}: it must be >= 0, and needs choices when it is not 0")
            inject = replace(inject, late_ms_max=late_ms_max)
        # `super` costs, and LoopBase has no state.
        Kernel.__init__(self, choices, order, observer, turns_max, ready, inject)
        self._contexts = contexts
        self._handler: Handler | None = None
        self._closed = False
        self._running = False
        self._eager = eager
        self._begun: AsyncGenRegistry | None = None

    # --- calling back ------------------------------------------------------------------------------------

    # Any, here and below: the arguments are the callback's affair, as in asyncio.
    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> Callback:
        """Call `callback(*args)` in the next turn, after those registered before it (LOOP-1)."""
        self._must_be_open()
        handle = Callback(callback, args, self._context(context))
        self.ready.append(handle)
        return handle

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        """Call it after `delay` seconds, not before (LOOP-2); a delay of 0 or less is due at once."""
        return self._call_at_ns(self.now + nanoseconds(delay), callback, args, context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> TimerHandle:
        """Call it at `when`, in seconds of `time()`, not before."""
        return self._call_at_ns(nanoseconds(when), callback, args, context)

    def _call_at_ns(
        self, when: int, callback: Callable[..., object], args: tuple[Any, ...], context: Context | None
    ) -> TimerHandle:
        self._must_be_open()
        handle = TimerHandle(when / NS_PER_SECOND, callback, args, self._context(context))
        self.timer(when, handle)
        return handle

    def timer(self, when: int, target: Runnable) -> None:
        """`at`, for a timer of the program: `choices` may make it late; one that is never due is not set."""
        if when < MAX_TIME:
            super().timer(when, target)

    def alarm(self, delay: float) -> Future[None]:
        """A future that is resolved `delay` seconds from now, not before.

        Raises:
            ValueError: the delay is not a number.
        """
        due: Future[None] = Future(self)
        self.timer(self.now + nanoseconds(delay), due)
        return due

    def time(self) -> float:
        """The virtual time in seconds."""
        return self.now / NS_PER_SECOND

    def _context(self, context: Context | None) -> Context | None:
        return copy_context() if context is None and self._contexts else context

    # --- making ------------------------------------------------------------------------------------------

    def create_future(self) -> Future[Any]:  # Any: the caller knows the type of its result
        """A pending future of this loop."""
        return Future(self)

    def create_cancel_forwarder(self, target: CancelTarget) -> CancelForwarder:
        """A future that forwards its cancel to others (interfaces.Spawner)."""
        return CancelForwarder(self, target)

    def create_task(
        self,
        coro: Runs[T],
        *,
        name: str | None = None,
        context: Context | None = None,
        eager_start: bool | None = None,
    ) -> Task[T]:
        """Schedule a coroutine, or a generator of the chapter's kind; its first step is in a later iteration.

        Parameters:
            coro: the coroutine.
            name: as Task.
            context: the context of its steps; None: a copy of the current one.
            eager_start: whether the first step is taken within this call, if the loop runs (TASK-26); None: as the
                loop does (TASK-14).

        Raises:
            RuntimeError: the loop is closed; `coro` is closed too.
            TypeError: `coro` is neither, or `context` is no Context.
        """
        if self._closed:
            coro.close()
            raise RuntimeError("Event loop is closed")
        if context is None and self._contexts:
            context = copy_context()
        if eager_start is None:
            eager_start = self._eager
        if eager_start and self._running:
            return Task(coro, self, name, context, True)
        return Task(coro, self, name, context)

    # --- running -----------------------------------------------------------------------------------------

    def _as_future(self, what: Awaitable[T] | Runs[T]) -> Future[T]:
        if not isinstance(what, Future):
            return self.create_task(as_runnable(what))
        if what.get_loop() is not self:
            raise ValueError("the future belongs to a different loop than the one that is to run it")
        return what

    def run(self, main: Awaitable[T] | Runs[T]) -> T:
        """Run a program to its end, cancel its leftovers, and close, as asyncio.run does.

        Raises:
            DeadlockError: `main` can never be done, or a leftover task swallows its cancel and waits on.
        """
        try:
            try:
                result = self.run_until_complete(main)
            except BaseException:
                try:
                    self.wind_up()
                except DeadlockError:
                    pass  # the first error says more
                raise
            self.wind_up()
            return result
        finally:
            self.close()

    def wind_up(self) -> None:
        """Cancel the tasks that are left and wait for them, then close asynchronous generators.

        Raises:
            DeadlockError: as `cancel_left`.
        """
        self.cancel_left()
        if self._begun is not None:
            self.run_until_complete(self.shutdown_asyncgens())

    def cancel_left(self) -> None:
        """Cancel the tasks that are not done, in order of creation, wait for them, and report their exceptions.

        Raises:
            DeadlockError: a task catches its cancellation and blocks for ever.
        """
        left = list(self.live)
        if not left:
            return
        for task in left:
            task.cancel()
        self.run_until_complete(all_done(left))
        for task in left:
            self._report_failed(task, "unhandled exception during run() shutdown", {"task": task})

    def _report_failed(self, task: Task[Any], message: str, what: dict[str, Any]) -> None:
        """Report the exception of a task that is done, if it raised one."""
        if task.done() and not task.cancelled() and task.exception() is not None:
            self.report({"message": message, "exception": task.exception(), **what})

    def _close_later(self, generator: AnyGenerator) -> None:
        self.call_soon(self.create_task, generator.aclose())

    async def shutdown_asyncgens(self) -> None:
        """Close the asynchronous generators that started and are not exhausted; their exceptions are reported."""
        begun = self._take_begun()
        tasks = [self.create_task(generator.aclose()) for generator in begun]
        await all_done(tasks)
        for generator, task in zip(begun, tasks, strict=True):
            self._report_failed(task, f"{generator!r} did not close", {"asyncgen": generator})

    # --- the end -----------------------------------------------------------------------------------------

    def _discard(self) -> None:
        while self.live:
            task = next(iter(self.live))
            try:
                task.throw_away()
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException as error:
                self.report({"message": f"{task!r} did not close", "exception": error, "task": task})
        self.ready.clear()
        self._timers.clear()
        self.observer = None  # the loop and its recorder, which reads the time of the loop, would be a cycle

    def __del__(self) -> None:
        """Report the tasks that are left in a loop that was never closed (TASK-12)."""
        if not getattr(self, "_closed", True):  # Ctrl-C may have come before it was made
            for task in self.live:
                self.report({"message": "Task was destroyed but it is pending!", "task": task})

    # --- errors that cannot be raised --------------------------------------------------------------------

    def set_exception_handler(self, handler: Handler | None) -> None:
        """Have `handler(loop, context)` called for errors that cannot be raised to any caller; None: the default."""
        self._handler = handler

    def call_exception_handler(self, context: dict[str, Any]) -> None:  # Any: see Handler
        """Hand `context` (asyncio's keys: message, exception, task, handle, ...) to the exception handler."""
        self.report(context)

    def get_exception_handler(self) -> Handler | None:
        """The handler that was set; None: the default."""
        return self._handler

    def report(self, what: dict[str, Any]) -> None:  # Any: see Handler
        """Call the exception handler (LOOP-3), in the context of the task or callback that `what` is about."""
        if self._handler is None:
            self._unhandled(what)
            return
        about = what.get("task") or what.get("future") or what.get("handle")
        context: Context | None = getattr(about, "context", None)
        try:
            if context is None:
                self._handler(self, what)
            else:
                context.copy().run(self._handler, self, what)  # a copy, because the context may be entered already
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self.default_exception_handler({"message": "Unhandled error in exception handler", "exception": error})

    def _unhandled(self, what: dict[str, Any]) -> None:  # Any: see Handler
        if self.limits is not None:
            self.limits.note(what)
        self.default_exception_handler(what)

    def default_exception_handler(self, what: dict[str, Any]) -> None:  # Any: see Handler
        """Log the error, with its traceback, to the logger of this package."""
        import logging  # here, because a run without errors need not pay for it

        error = what.get("exception")
        logging.getLogger(PACKAGE).error(
            what.get("message", "Unhandled exception in event loop"),
            exc_info=(type(error), error, error.__traceback__) if error is not None else None,
        )


def nanoseconds(seconds: float) -> int:
    """Seconds as virtual nanoseconds; a time that no run reaches, infinity too, is NEVER.

    Raises:
        ValueError: it is not a number.
    """
    if seconds != seconds:
        raise ValueError("Invalid delay: NaN (not a number)")
    return round(min(max(seconds * NS_PER_SECOND, -MAX_TIME), MAX_TIME))
