"""Teaching code: rung 8, a Future: a placeholder for a result, with the callbacks to run when it arrives.

Teaches: the code that waits and the code that brings the result need not know each other; both know the future.
Changed against rung 5: a callback no longer decides what happens next, it only resolves a future.
Still wrong: `set_result` runs the callbacks at once, as in the text, so a waiter runs before the line after
`set_result`.  A long chain of waiters ends in RecursionError (the text's defect F7), and other tasks run between two
lines of a coroutine (S0; `join_queue.py` shows it).  `impl/tasks/future.py` defers the callbacks.

Against the text's sketch: a callback that is added late is called (F1).  A future is resolved once (F3, F4) and removes
each callback before it runs, so a running coroutine is not resumed (F8).  An error in a callback affects neither the
other callbacks nor the caller of `set_result` (F5).  A pending future differs from one resolved with None, and `result`
is a method (F6, K9).  A future can hold an error (F9).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Building Coroutines With Generators".
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar

from ...errors import InvalidStateError

T = TypeVar("T")

log = logging.getLogger(__name__)


class Future(Generic[T]):
    """A placeholder for a result."""

    def __init__(self) -> None:
        self._done = False
        self._result: Any = None  # Any: a T when it is done
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[Any], object]] = []  # Any: this class

    def done(self) -> bool:
        return self._done

    def result(self) -> T:
        """The result; raises the error that was set instead, or InvalidStateError when it is pending."""
        error = self.exception()
        if error is not None:
            raise error
        result: T = self._result
        return result

    def exception(self) -> BaseException | None:
        """The error, or None; raises InvalidStateError when it is pending."""
        if not self._done:
            raise InvalidStateError("the future is not done yet")
        return self._error

    def add_done_callback(self, callback: Callable[[Self], object]) -> None:
        """Call `callback(self)` when the future is done; at once if it is done."""
        self._callbacks.append(callback)
        if self._done:
            self._call_back()

    def remove_done_callback(self, callback: Callable[[Self], object]) -> None:
        """Remove a callback; raises ValueError when it is not there."""
        self._callbacks.remove(callback)

    def set_result(self, result: T) -> None:
        """Set the result and run the callbacks; raises InvalidStateError when it is done already."""
        self._resolve(result, None)

    def set_exception(self, error: BaseException) -> None:
        """Set an error instead of a result."""
        self._resolve(None, error)

    def _resolve(self, result: T | None, error: BaseException | None) -> None:
        if self._done:
            raise InvalidStateError("the future is done already")
        self._done, self._result, self._error = True, result, error
        self._call_back()

    def _call_back(self) -> None:
        while self._callbacks:
            callback = self._callbacks.pop(0)
            try:
                callback(self)
            except Exception:
                log.exception("a callback has failed")


def failed(error: BaseException) -> Future[Any]:
    """A future that holds an error."""
    future: Future[Any] = Future()  # Any: of no result
    future.set_exception(error)
    return future
