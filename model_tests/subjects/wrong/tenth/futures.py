"""Wrong futures and tasks."""

from __future__ import annotations

import contextvars
from typing import Any

from .._parts import Future, Task


class CallsInTheLastContext(Future):
    """A future whose callbacks run in the context of the code that ends it.

    Breaks "The current context is used when no context is provided" (Future.add_done_callback)."""

    def add_done_callback(self, fn: Any, *, context: Any = None) -> None:
        super().add_done_callback(fn, context=context)
        if context is None and not self.done():
            self._callbacks[-1] = (fn, None)


class RemovesTheVerySame(Future):
    """A future that removes only the very object that was added, so never a bound method.

    Breaks "Remove callback from the callbacks list" (Future.remove_done_callback)."""

    def remove_done_callback(self, fn: Any) -> int:
        kept = [entry for entry in self._callbacks if entry[0] is not fn]
        removed = len(self._callbacks) - len(kept)
        self._callbacks[:] = kept
        return removed


class CannotTakeBack(Task):
    """A task that gets its CancelledError even if every request is taken back before.

    Breaks "Changed to rescind pending cancellation requests upon reaching zero" (Task.uncancel, changed in 3.13)."""

    def uncancel(self: Any) -> int:
        pending = self._must_cancel
        left: int = super().uncancel()
        self._must_cancel = pending
        return left


class CancelsOnce(Task):
    """A task that counts a second cancel, but gets no CancelledError of it, while the first is not taken back.

    Breaks "arranges for a CancelledError exception to be thrown into the wrapped coroutine" (Task.cancel)."""

    def cancel(self, msg: Any = None) -> bool:
        if self.done() or not self.cancelling():
            return bool(super().cancel(msg))
        self._num_cancels_requested += 1
        return False


class RunsInACopy(Task):
    """A task that runs in a copy of the context that it was given.

    Breaks "specifying a custom contextvars.Context for the coro to run in" (Task)."""

    def __init__(self, coro: Any, *, context: Any = None, **kwargs: Any) -> None:
        given = isinstance(context, contextvars.Context)
        super().__init__(coro, context=context.copy() if given else context, **kwargs)
