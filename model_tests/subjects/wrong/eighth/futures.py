"""Wrong implementations of futures and tasks."""

from __future__ import annotations

import asyncio.futures
import asyncio.tasks
from functools import wraps
from typing import Any

#: asyncio's future and task in pure Python, which typeshed does not know.
PyFuture: Any = vars(asyncio.futures)["_PyFuture"]
PyTask: Any = vars(asyncio.tasks)["_PyTask"]


class RemovesOneCallback(PyFuture):
    """A future whose remove_done_callback removes the first callback that is equal, and no other.

    Breaks "Remove callback from the callbacks list. Returns the number of callbacks removed": "Remove all instances
    of a callback".
    """

    def remove_done_callback(self: Any, fn: Any) -> int:
        for at, (callback, _) in enumerate(self._callbacks):
            if callback == fn:
                del self._callbacks[at]
                return 1
        return 0


class OneRequestIsEnough(PyTask):
    """A task that counts a second request to cancel, and does nothing else about it.

    A task that caught the first CancelledError can be cancelled no more (the first design of uncancel, in a beta of
    3.11).  Breaks "This arranges for a CancelledError exception to be thrown into the wrapped coroutine".
    """

    def cancel(self: Any, msg: Any = None) -> bool:
        if not self.done() and self._num_cancels_requested > 0:
            self._num_cancels_requested += 1
            return False
        return bool(super().cancel(msg))


@wraps(asyncio.ensure_future, assigned=())
def ensure_future_of_coroutines(coro_or_future: Any, *, loop: Any = None) -> Any:
    """An ensure_future that refuses awaitables which are neither futures nor coroutines.

    Breaks "a Task object wrapping and scheduling obj ... if obj is an awaitable (inspect.isawaitable() is used for
    the test)".
    """
    if asyncio.isfuture(coro_or_future):
        if loop is not None and loop is not coro_or_future.get_loop():
            raise ValueError(
                "The future belongs to a different loop than the one specified as the loop argument"
            )
        return coro_or_future
    if not asyncio.iscoroutine(coro_or_future):
        raise TypeError("An asyncio.Future or a coroutine is required")
    return (loop or asyncio.get_event_loop()).create_task(coro_or_future)
