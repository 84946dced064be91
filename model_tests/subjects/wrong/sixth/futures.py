"""Wrong futures and tasks: each takes the place of asyncio's, with one defect."""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import Any

from .._parts import Future, Task


class MessageOnce(Future):
    """A future that tells the message of its cancel() only to the first that asks.

    Breaks asyncio-future, Future: "A Future can be awaited multiple times and the result is same."
    """

    def _make_cancelled_error(self) -> Any:
        error = super()._make_cancelled_error()
        self._cancel_message = None
        return error


class CallsAtOnce(Future):
    """A future that is done calls a new callback from within add_done_callback().

    Breaks asyncio-future, Future.add_done_callback(): "If the Future is already done when this method is
    called, the callback is scheduled with loop.call_soon()."
    """

    def add_done_callback(
        self, fn: Callable[[Any], object], *, context: contextvars.Context | None = None
    ) -> None:
        if not self.done():
            super().add_done_callback(fn, context=context)
        elif context is None:
            fn(self)
        else:
            context.run(fn, self)


class RemovesOne(Future):
    """A future with a remove_done_callback() that takes out only the first of several equal callbacks.

    Breaks asyncio-future, Future.remove_done_callback(): "Returns the number of callbacks removed, which is
    typically 1, unless a callback was added more than once."
    """

    def remove_done_callback(self, fn: Callable[[Any], object]) -> int:
        for index, (callback, _) in enumerate(self._callbacks):
            if callback == fn:
                del self._callbacks[index]
                return 1
        return 0


class DropsContextWhenDone(Future):
    """A future that is done runs a new callback in the current context, not in the one given.

    Breaks asyncio-future, Future.add_done_callback(): "An optional keyword-only context argument allows
    specifying a custom contextvars.Context for the callback to run in."
    """

    def add_done_callback(
        self, fn: Callable[[Any], object], *, context: contextvars.Context | None = None
    ) -> None:
        super().add_done_callback(fn, context=None if self.done() else context)


class UncancelsAll(Task):
    """A task with an uncancel() that takes back all requests to cancel it, not one.

    Breaks asyncio-task, Task.uncancel(): "Decrement the count of cancellation requests to this Task.
    Returns the remaining number of cancellation requests."
    """

    def uncancel(self) -> int:
        while super().uncancel() > 0:
            pass
        return 0


class DropsEarlyMessage(Task):
    """A task that hands the message of cancel() to the future it awaits, and loses it when there is none.

    Breaks asyncio-task, Task.cancel(): "The msg parameter is propagated from cancelled task to its
    awaiter."
    """

    def cancel(self, msg: Any = None) -> bool:
        if self._fut_waiter is None:
            msg = None
        return bool(super().cancel(msg=msg))


class ResumesInCopy(Task):
    """A task that goes on in a copy of its context after each await.

    Breaks asyncio-task, create_task(): "An optional keyword-only context argument allows specifying a
    custom contextvars.Context for the coro to run in."
    """

    _given: contextvars.Context
    _started: bool

    @property
    def _context(self) -> contextvars.Context:
        if self._started:
            return contextvars.copy_context()
        self._started = True
        return self._given

    @_context.setter
    def _context(self, context: contextvars.Context) -> None:
        self._given = context
        self._started = False

    def get_context(self) -> contextvars.Context:
        return self._given
