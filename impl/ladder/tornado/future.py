"""Teaching code: rung 19, Tornado's way, 1 of 4: a Future that knows whether it is done.

Teaches: a future gets one result, a value or an error, and calls each callback once; at once if it is done.
Changed against `rungs/futures.py`: little, because that Future was corrected after this one.  Errors are passed as
`sys.exc_info()`, which kept their tracebacks before Python 3.
Still wrong: callbacks run inside `set_result`, as in the text.  The IOLoop (2 of 4) limits the harm: its `add_future`
runs a callback in the next iteration.

Against the text's sketch: a second result is refused, whatever the first one was, and overwrites nothing (defects N1,
N2).  Callbacks run in the order in which they were added, including those added by callbacks (N3).  An error in a
callback is logged, whether the future was pending or done when the callback was added (N4); after an interrupt the
other callbacks run first (N5).  An error that is never retrieved is logged when the future is destroyed (N10).  N6, a
result of None taken for "no result yet", is a defect of the other Future only: here `_done` decides.

Source: "How Tornado's coroutines work", its `tornado.concurrent.Future`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import TracebackType
from typing import Any, Generic, TypeAlias, TypeVar

from ...errors import InvalidStateError

T = TypeVar("T")

#: The result of `sys.exc_info()` in an `except` block.
ExcInfo: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None]

log = logging.getLogger(__name__)


class Future(Generic[T]):
    """A placeholder for a result."""

    def __init__(self) -> None:
        self._done = False
        self._result: Any = None  # Any: a T when it is done without an error
        self._error: BaseException | None = None
        self._seen = False
        self._callbacks: list[Callable[[Future[T]], object]] = []

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
        self._check_done()
        self._seen = True
        return self._error

    def add_done_callback(self, callback: Callable[[Future[T]], object]) -> None:
        """Call `callback(self)` when the future is done; at once if it is done."""
        self._callbacks.append(callback)
        if self._done:
            self._call_back()

    def set_result(self, result: T) -> None:
        """Set the result and run the callbacks; raises InvalidStateError when it is done already."""
        self._set_done(result, None)

    def set_exception(self, error: BaseException) -> None:
        """Set an error instead of a result."""
        self._set_done(None, error)

    def set_exc_info(self, exc_info: ExcInfo) -> None:
        """Set the error that is being handled."""
        self.set_exception(exc_info[1])

    def _set_done(self, result: T | None, error: BaseException | None) -> None:
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
            except BaseException:
                self._call_back()
                raise

    def _check_done(self) -> None:
        if not self._done:
            raise InvalidStateError("the future is not done yet")

    def __del__(self) -> None:
        if self._error is not None and not self._seen:
            log.error("the error of a future was never retrieved", exc_info=self._error)
