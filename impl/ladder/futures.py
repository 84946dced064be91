"""Teaching code: rung 8, a Future: a result that is not there yet, and the functions to call when it is.

What it teaches: who waits and who brings the result need not know each other; both know the future.
What changed against rung 5: a callback no longer knows what comes next, it only resolves a future.
What is still wrong with it: `set_result` runs the callbacks at once, as in the text: whoever waits runs in the middle
of a line of whoever resolves.  So a long chain ends in RecursionError (the text's defect F7), and what a coroutine was
about to do next is not done yet when others run (S0; `join_queue.py` shows it).  `impl/tasks/future.py` defers the
callbacks.

Against the text's sketch: a callback that comes late is called (F1); a future is resolved once (F3, F4), and forgets
whom it has called, so nobody is called who runs already (F8); what a callback raises does not concern the others, nor
whoever resolved (F5); pending is not "resolved with None", and `result` is a method (F6, K9); it may hold an error
(F9).

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "Building Coroutines With Generators".
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ..errors import InvalidStateError

T = TypeVar("T")

log = logging.getLogger(__name__)


class Future(Generic[T]):
    """A result that somebody waits for."""

    def __init__(self) -> None:
        self._done = False
        self._result: Any = None  # Any: a T once it is done
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[Future[T]], object]] = []

    def done(self) -> bool:
        return self._done

    def result(self) -> T:
        """The result; raises the error that was set instead, or InvalidStateError when there is neither yet."""
        error = self.exception()
        if error is not None:
            raise error
        result: T = self._result
        return result

    def exception(self) -> BaseException | None:
        """The error; raises InvalidStateError when it is not done."""
        if not self._done:
            raise InvalidStateError("the future is not done yet")
        return self._error

    def add_done_callback(self, callback: Callable[[Future[T]], object]) -> None:
        """Call it when the future is done; at once, if it is."""
        self._callbacks.append(callback)
        if self._done:
            self._call_back()

    def remove_done_callback(self, callback: Callable[[Future[T]], object]) -> None:
        """Do not call it; raises ValueError when it is not waiting."""
        self._callbacks.remove(callback)

    def set_result(self, result: T) -> None:
        """Resolve it, and call back whoever waits; raises InvalidStateError when it is done already."""
        self._resolve(result, None)

    def set_exception(self, error: BaseException) -> None:
        """Likewise, with an error."""
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
    """A future that is done, with an error."""
    future: Future[Any] = Future()  # Any: it never has a result
    future.set_exception(error)
    return future
