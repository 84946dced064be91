"""Wrong Future: its state, callbacks, results, exceptions and cancel()."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

_Future: Any = asyncio.futures._PyFuture  # type: ignore[attr-defined]  # Any: the subjects use its private parts


class FutureThatTakesNoneForNoResult(_Future):
    """A future with the result None is not done, as None is taken for the mark of no result.

    Breaks "A Future is done if it was cancelled or if it has a result or an exception set with set_result() or
    set_exception() calls." (asyncio-future.html, Future.done())
    """

    def done(self) -> bool:
        return self.cancelled() or self._result is not None or self._exception is not None


class FutureThatRemovesCallbacksByIdentity(_Future):
    """A bound method is not removed, as each access to it makes another, equal object.

    Breaks "Remove callback from the callbacks list. Returns the number of callbacks removed, which is typically 1"
    (asyncio-future.html, Future.remove_done_callback()); futures.py: "if f != fn"
    """

    def remove_done_callback(self, fn: Any) -> int:
        kept = [(callback, context) for callback, context in self._callbacks if callback is not fn]
        removed = len(self._callbacks) - len(kept)
        self._callbacks[:] = kept
        return removed


class FutureThatCallsInTheContextOfItsEnd(_Future):
    """A callback sees the context variables of the code that ended the future, not of the code that added it.

    Breaks "An optional keyword-only context argument allows specifying a custom contextvars.Context for the callback
    to run in. The current context is used when no context is provided." (asyncio-future.html,
    Future.add_done_callback()); futures.py, there: "context = contextvars.copy_context()"
    """

    def add_done_callback(self, fn: Any, *, context: contextvars.Context | None = None) -> None:
        if self.done():
            super().add_done_callback(fn, context=context)
        else:
            self._callbacks.append((fn, context))  # call_soon() takes the current context for None


class FutureThatIgnoresAResultAfterCancel(_Future):
    """set_result() on a cancelled future does nothing, so a producer does not learn that its result is lost.

    Breaks "Raises an InvalidStateError error if the Future is already done." (asyncio-future.html,
    Future.set_result())
    """

    def set_result(self, result: Any) -> None:
        if not self.cancelled():
            super().set_result(result)


class FutureThatGrowsItsTraceback(_Future):
    """Each call of result() adds its frames to the traceback of the same exception.

    Breaks futures.py, result(): "raise self._exception.with_traceback(self._exception_tb)", that is, each time with
    the traceback that the exception had when it was set (bpo-45924)
    """

    def result(self) -> Any:
        if not self.done() or self.cancelled() or self._exception is None:
            return super().result()
        self._log_traceback = False
        raise self._exception


class FutureThatIsCancelledTwice(_Future):
    """cancel() of a cancelled future returns True, as that of concurrent.futures does.

    Breaks "If the Future is already done or cancelled, return False. Otherwise, change the Future's state to
    cancelled, schedule the callbacks, and return True." (asyncio-future.html, Future.cancel())
    """

    def cancel(self, msg: Any = None) -> bool:
        return bool(super().cancel(msg)) or self.cancelled()
