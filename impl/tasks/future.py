"""Future: a placeholder for a result, with a FIFO queue of waiters.

1.  A future is pending, then exactly once done: with a result, with an exception, or cancelled (FUT-1).
2.  A waiter is a `Runnable` in a wait queue, oldest first.  Resolving moves the wait queue to the loop's ready queue
    and runs nothing (FUT-2, callbacks are deferred): code between two awaits is never interleaved.
3.  A waiter that is added after the end goes to the ready queue at once, by the same path (FUT-3).
4.  `await` of a done future does not suspend (FUT-4).
5.  An exception that is never retrieved is reported once to the loop's exception handler, when the last reference to
    the future is dropped (FUT-9).
    the future is dropped (FUT-9).  A callback that was called or removed is kept no longer (LEAK-3).
6.  A wait queue of one waiter is that waiter: nearly all futures have just one, and a list would cost more than the
    future.  For the same reason there is no slot for each state: bytes of a parked task also cost time in the
    collector.

Names and meanings are those of `asyncio.Future` (CPython documentation of 3.15, "Futures").  A future is also a
Runnable: the timer of `sleep` resolves it directly, without a callback.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextvars import Context, copy_context
from types import TracebackType
from typing import Any, ClassVar, Final, Generic, TypeVar, cast

from ..errors import CancelledError, InvalidStateError
from ..interfaces import CancelTarget, Host, Runnable
from .callback import DoneCallback
from .current import is_foreign_future, running_loop

T = TypeVar("T")

PENDING: Final = 0
RESULT: Final = 1
FAILED: Final = 2
CANCELLED: Final = 3

_STATES: Final = ("pending", "finished", "failed", "cancelled")


class FutureError:
    """An exception as a future holds it; it reports itself if it is dropped and was never retrieved (FUT-9).

    The report is not made by the future: a `__del__` there would cost every future, and few of them fail.
    """

    __slots__ = ("_context", "_host", "_whose", "error", "seen", "trace")

    def __init__(self, error: BaseException, trace: TracebackType | None, future: Future[Any]) -> None:
        self.error = error
        self.trace = trace
        self.seen = False
        self._host = future._host
        self._context = future.context
        self._whose = future._called()

    def __del__(self) -> None:
        if not self.seen:
            what = {"message": f"{self._whose} exception was never retrieved", "exception": self.error}
            if self._context is None:
                self._host.report(what)
            else:
                self._context.copy().run(self._host.report, what)  # a copy, because the context may be entered


class Future(Runnable, Generic[T]):
    """A placeholder for a result (asyncio.Future).

    `loop` is the host of its waiters' ready queue; by default the running loop.

    Raises:
        RuntimeError: no loop is given and none is running.
    """

    # `_value` is the result, a Failure, or the message of the cancel, according to `_stage`.
    # `_line` is None, the only waiter, or a list.
    __slots__ = ("__weakref__", "_host", "_line", "_stage", "_value")

    is_callback: ClassVar[bool] = True
    only_wakes: ClassVar[bool] = True

    #: The error of a cancelled future, and that of a result read too early or set twice; a bridge has those of another
    #: runtime.
    Cancelled: ClassVar[type[BaseException]] = CancelledError
    Invalid: ClassVar[type[Exception]] = InvalidStateError

    def __init__(self, loop: Host | None = None) -> None:
        self._host: Host = running_loop() if loop is None else loop
        self._stage = PENDING
        self._value: Any = None  # Any: see __slots__
        self._line: Any = None  # Any: see __slots__; told apart by class, with no call
        observer = self._host.observer
        if observer is not None:
            observer.created(self)

    # --- state -------------------------------------------------------------------------------------------

    def get_loop(self) -> Host:
        """The loop the future belongs to."""
        return self._host

    def done(self) -> bool:
        """Whether it has a result or an exception, or was cancelled."""
        return self._stage != PENDING

    def cancelled(self) -> bool:
        """Whether it was cancelled; a task is from the step on that ends it, not from the request (CANCEL-7)."""
        return self._stage == CANCELLED

    def result(self) -> T:
        """The result (FUT-6).

        Raises:
            InvalidStateError: it is pending.
            CancelledError: it was cancelled; `args` holds the message.
            BaseException: its exception; repeated calls do not make its traceback grow (FUT-8, bpo-45924).
        """
        state = self._stage
        if state == RESULT:
            return cast(T, self._value)
        if state == FAILED:
            failure = self._value
            failure.seen = True
            try:
                raise failure.error.with_traceback(failure.trace)
            finally:
                del failure, self  # the error's traceback holds this frame: it must not hold the error
        if state == CANCELLED:
            raise self._cancelled_error()
        raise self.Invalid("Result is not set.")

    def exception(self) -> BaseException | None:
        """The exception, or None if there is a result.

        Raises:
            InvalidStateError: it is pending.
            CancelledError: it was cancelled.
        """
        state = self._stage
        if state == CANCELLED:
            raise self._cancelled_error()
        if state == PENDING:
            raise self.Invalid("Exception is not set.")
        if state != FAILED:
            return None
        self._value.seen = True
        return cast(BaseException, self._value.error)

    def _cancelled_error(self) -> BaseException:
        return self.Cancelled() if self._value is None else self.Cancelled(self._value)

    # --- resolving ---------------------------------------------------------------------------------------

    def set_result(self, result: T) -> None:
        """Resolve with a result; waiters become ready, none runs.

        Raises:
            InvalidStateError: it is already done; nothing changes (FUT-1).
        """
        if self._stage != PENDING:
            raise self.Invalid(f"{self!r} is already done")
        self._finish(RESULT, result)

    def set_exception(self, exception: BaseException | type[BaseException]) -> None:
        """Resolve with an exception, or with an instance of an exception class.

        A StopIteration would end the awaiting generator in silence; it is stored as the RuntimeError that it
        caused (FUT-7; gh-112182, 3.13).

        Raises:
            InvalidStateError: it is already done; nothing changes (FUT-1).
            TypeError: the argument is no exception.
        """
        if self._stage != PENDING:
            raise self.Invalid(f"{self!r} is already done")
        error = exception() if isinstance(exception, type) else exception
        if not isinstance(error, BaseException):
            raise TypeError(f"set_exception() takes an exception, not {error!r}")
        if isinstance(error, StopIteration):
            wrapped = RuntimeError("StopIteration interacts badly with generators and cannot be raised into a Future")
            wrapped.__cause__ = wrapped.__context__ = error
            error = wrapped
        self._finish(FAILED, FutureError(error, error.__traceback__, self))

    # Any: asyncio's message is any object.
    def cancel(self, msg: Any = None) -> bool:
        """Cancel it, unless it is done; return whether it was pending.  Its waiters get the message (FUT-13).

        A caller that cancels wants no report of an exception either (FUT-9).
        """
        if self._stage != PENDING:
            if self._stage == FAILED:
                self._value.seen = True
            return False
        self._finish(CANCELLED, msg)
        return True

    def run(self) -> None:
        """Resolve with None, as the target of a timer."""
        if self._stage == PENDING:
            self._finish(RESULT, None)

    def dead(self) -> bool:
        return self._stage != PENDING

    def _finish(self, state: int, value: Any) -> None:  # Any: see __slots__
        """The one place where a future ends: its wait queue moves to the ready queue (FUT-2)."""
        self._stage = state
        self._value = value
        loop = self._host
        if loop.observer is not None:
            loop.observer.resolved(self)
        line = self._line
        if line is not None:
            self._line = None
            if line.__class__ is list:
                loop.ready.extend(line)
            else:
                loop.ready.append(line)

    # --- waiting -----------------------------------------------------------------------------------------

    def wait_in_line(self, waiter: Runnable) -> None:
        """Make `waiter` ready when the future is done, or now if it is (FUT-3)."""
        line = self._line
        if self._stage != PENDING:
            self._host.ready.append(waiter)
        elif line is None:
            self._line = waiter
        elif line.__class__ is list:
            line.append(waiter)
        else:
            self._line = [line, waiter]

    def _waiters(self) -> list[Runnable]:
        """The waiters as a list, oldest first."""
        line = self._line
        return line if isinstance(line, list) else [] if line is None else [line]

    def add_done_callback(self, fn: Callable[[Any], object], *, context: Context | None = None) -> None:
        """Schedule `fn(self)`, in `context` or a copy of the current one (FUT-12), once the future is done.

        It is never called within this call, not even on a done future (FUT-2, FUT-3); the order of calls is that of
        registration (FUT-5).
        """
        self.wait_in_line(DoneCallback(fn, (self,), copy_context() if context is None else context))

    def remove_done_callback(self, fn: Callable[[Any], object]) -> int:
        """Remove every callback equal to `fn`; return their number (FUT-10)."""
        line = self._waiters()
        keep = [waiter for waiter in line if not (isinstance(waiter, DoneCallback) and waiter.calls(fn))]
        if self._line is not None:  # comparing may have run code that resolved the future
            self._line = keep
        return len(line) - len(keep)

    def __await__(self) -> Generator[Future[T], None, T]:
        try:
            if self._stage == PENDING:
                yield self
            # The common ends of result(), inline: one call less for each await, one frame less for each cancel.
            if self._stage == RESULT:
                return cast(T, self._value)
            if self._stage == CANCELLED:
                raise self._cancelled_error()
            return self.result()
        finally:
            del self  # as in result()

    #: `yield from future`, as in the chapter.
    __iter__ = __await__

    def _called(self) -> str:
        """The name of its type in reports."""
        return type(self).__name__

    def __repr__(self) -> str:
        state = _STATES[self._stage]
        if self._stage == RESULT:
            return f"<{type(self).__name__} {state} result={self._value!r}>"
        if self._stage == FAILED:
            return f"<{type(self).__name__} {state} exception={self._value.error!r}>"
        return f"<{type(self).__name__} {state}>"


def isfuture(what: object) -> bool:
    """Whether it is a future or a task, of this package or of a runtime with a bridge."""
    return isinstance(what, Future) or is_foreign_future(what)


class CancelForwarder(Future[Any]):  # Any: gather stores its list of results
    """A future that forwards `cancel`: gather's; its children end it, each in its own time.

    It is a class of its own because few futures need it, and because each runtime has its own
    (interfaces.Spawner.create_cancel_forwarder).

    Parameters:
        loop: the host.
        target: receives the requests to cancel.
    """

    __slots__ = ("target",)

    def __init__(self, loop: Host, target: CancelTarget) -> None:
        super().__init__(loop)
        self.target = target

    # Any: asyncio's message is any object.
    def cancel(self, msg: Any = None) -> bool:
        """Forward the request, unless the future is done; return whether any child took it."""
        return not self.done() and self.target.cancel(msg)
