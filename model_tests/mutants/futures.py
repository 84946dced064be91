"""Wrong futures.  F1 to F8 are defects of the Future in the chapter.

The chapter is "A Web Crawler With asyncio Coroutines" of 500 Lines or Less.

impl shares its private names with these files: a defect lies inside.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextvars import Context, copy_context
from typing import Any

from impl.interfaces import Runnable
from impl.tasks.callback import Callback, DoneCallback
from impl.tasks.future import CANCELLED, PENDING, RESULT, Future

from .mutant import breaks

#: A future of any result, and a result.
AnyFuture = Future[Any]
Result = Any


# --- resolving ----------------------------------------------------------------------------------------------


@breaks("FUT-2", "F7: the chapter's Future, where a long chain of tasks is a RecursionError; tornado < 5")
class FutureRunsWaitersAtOnce(AnyFuture):
    """Resolving runs the waiters synchronously."""

    def _finish(self, state: int, value: Result) -> None:
        self._stage, self._value = state, value
        for waiter in self._waiters():
            waiter.run()


@breaks("FUT-5", "contract: callbacks are called in the order in which they were added")
class FutureWakesNewestFirst(AnyFuture):
    """Resolving schedules the waiters in reverse order."""

    def _finish(self, state: int, value: Result) -> None:
        self._waiters().reverse()  # of several, it is the queue itself
        super()._finish(state, value)


@breaks("FUT-1", "contract: a future is resolved once")
class FutureResolvedTwice(AnyFuture):
    """A second result replaces the first without an error."""

    def set_result(self, result: Result) -> None:
        self._finish(RESULT, result)


@breaks("FUT-1", "F3, F4: the chapter's Future, whose second result reaches the next, unrelated await")
class FutureCallsWaitersAgain(AnyFuture):
    """Resolving leaves the waiters in the queue, and a second result wakes them again."""

    def set_result(self, result: Result) -> None:
        waiters = list(self._waiters())
        self._finish(RESULT, result)
        self._line = waiters or None


@breaks(
    "FUT-2", "F8: the chapter's Future, where a coroutine can resume itself: 'generator already executing'"
)
class FutureReentersItsWaiter(AnyFuture):
    """Resolving runs the waiters synchronously and leaves them in the queue; a second result runs them again."""

    def set_result(self, result: Result) -> None:
        self._stage, self._value = RESULT, result
        for waiter in list(self._waiters()):
            waiter.run()


@breaks(
    "FUT-11", "F5: the chapter's Future, where an error of a callback keeps the later ones from being called"
)
class FutureErrorStopsCallbacks(AnyFuture):
    """All waiters run as one callback, so that the first error skips the rest."""

    def _finish(self, state: int, value: Result) -> None:
        waiters, self._line = list(self._waiters()), None
        super()._finish(state, value)

        def run_all() -> None:
            for waiter in waiters:
                (waiter.context or copy_context()).run(waiter.run)

        self._host.ready.append(Callback(run_all))


@breaks("FUT-1", "contract: a future that is done cannot be cancelled")
class FutureCancelledWhenDone(AnyFuture):
    """cancel() of a future that has a result succeeds."""

    def cancel(self, msg: Any = None) -> bool:
        if self._stage == RESULT:
            self._stage, self._value = CANCELLED, msg
            return True
        return super().cancel(msg)


@breaks("FUT-13", "contract: a CancelledError has the message of the cancel")
class FutureDropsMessage(AnyFuture):
    """cancel() drops its message."""

    def cancel(self, msg: Any = None) -> bool:
        return super().cancel()


# --- waiting ------------------------------------------------------------------------------------------------


@breaks("FUT-3", "F1: the chapter's Future, its footnote 9")
class FutureIgnoresLateWaiters(AnyFuture):
    """A callback that is added to a done future is never called."""

    def wait_in_line(self, waiter: Runnable) -> None:
        if self._stage == PENDING:
            super().wait_in_line(waiter)


@breaks("FUT-4", "F2: the chapter's Future, whose await blocks for ever when it is done")
class FutureDoneBlocksAwait(FutureIgnoresLateWaiters):
    """Awaiting a done future suspends, and nothing wakes the task."""

    def __await__(self) -> Generator[AnyFuture, None, Result]:
        yield self
        return self.result()


@breaks("FUT-4", "contract: awaiting a done future does not suspend")
class FutureAlwaysSuspends(AnyFuture):
    """Awaiting a done future suspends for one iteration."""

    def __await__(self) -> Generator[AnyFuture, None, Result]:
        yield self
        return self.result()


@breaks("FUT-3", "contract: a late callback is scheduled, not called")
class FutureCallsLateCallbackAtOnce(AnyFuture):
    """A callback that is added to a done future is called within add_done_callback."""

    def add_done_callback(self, fn: Callable[[Any], object], *, context: Context | None = None) -> None:
        if self.done():
            fn(self)
        else:
            super().add_done_callback(fn, context=context)


@breaks("FUT-12", "contract: a callback runs in the context of its add_done_callback")
class FutureCancelForgetsContexts(AnyFuture):
    """The callbacks of a cancelled future run in the context of the caller of cancel()."""

    def cancel(self, msg: Any = None) -> bool:
        for waiter in self._waiters():
            if isinstance(waiter, DoneCallback):
                waiter.context = None
        return super().cancel(msg)


@breaks("FUT-10", "contract: every equal callback is removed")
class FutureRemovesOneCallback(AnyFuture):
    """remove_done_callback removes only the first of several equal callbacks."""

    def remove_done_callback(self, fn: Callable[[Any], object]) -> int:
        line = self._waiters()
        for waiter in line:
            if isinstance(waiter, DoneCallback) and waiter.calls(fn):
                self._line = [other for other in line if other is not waiter] or None
                return 1
        return 0


@breaks("FUT-10", "contract: callbacks are compared by ==")
class FutureRemovesByIdentity(AnyFuture):
    """remove_done_callback compares callbacks by identity."""

    def remove_done_callback(self, fn: Callable[[Any], object]) -> int:
        line = self._waiters()
        keep = [waiter for waiter in line if not (isinstance(waiter, DoneCallback) and waiter._fn is fn)]
        self._line = keep or None
        return len(line) - len(keep)


# --- reading ------------------------------------------------------------------------------------------------


@breaks("FUT-6", "F6: the chapter's Future, which tells pending from done by its result")
class FutureNoneIsPending(AnyFuture):
    """A future with the result None counts as pending."""

    def done(self) -> bool:
        return self._stage != PENDING and not (self._stage == RESULT and self._value is None)


@breaks("FUT-6", "contract: exception() of a pending future is an error")
class FuturePendingHasNoException(AnyFuture):
    """exception() of a pending future returns None."""

    def exception(self) -> BaseException | None:
        return super().exception() if self.done() else None


@breaks("FUT-9", "contract: an exception that is never retrieved is reported")
class FutureNeverReports(AnyFuture):
    """An exception that is never retrieved is not reported."""

    def set_exception(self, exception: BaseException | type[BaseException]) -> None:
        super().set_exception(exception)
        self._value.seen = True


@breaks("FUT-9", "contract: only result(), exception() and cancel() count as retrieving it")
class FutureDoneCountsAsRetrieved(AnyFuture):
    """done() of a failed future keeps its exception from being reported."""

    def done(self) -> bool:
        if hasattr(self._value, "seen"):
            self._value.seen = True
        return super().done()
