"""Teaching code: rung 19, Tornado's way, 1 of 4: a Future that says whether it is done.

What it teaches: a result comes once, and is a value or an error; whoever asks to be called is called once, at once if
the result is there already.
What changed against `futures.py`: little; that one was mended to be like this one.  Errors are handed on as
`sys.exc_info()`, which is how they kept their tracebacks before Python 3.
What is still wrong with it: callbacks run inside `set_result`, as in the text.  The IOLoop (2 of 4) takes the sting out
of that: what it is asked to do for a future, it does in its next iteration.

Against the text's sketch: a second result is refused, whatever the first one was, before it overwrites anything (its
defects N1, N2); callbacks are called in the order in which they were added, those that come during a callback too (N3);
what one raises is logged, whether the future was done or not when it was added (N4), and be it an interrupt, the
others are called first (N5); an error that nobody has looked at is logged when the future goes (N10).  That None could
not be told from "no result yet" is the other Future's defect, not this one's: `_done` decides (N6).

Source: "How Tornado's coroutines work", its `tornado.concurrent.Future`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import TracebackType
from typing import Any, Generic, TypeAlias, TypeVar

from ...errors import InvalidStateError

T = TypeVar("T")

#: What `sys.exc_info()` returns in an `except`.
ExcInfo: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None]

log = logging.getLogger(__name__)


class Future(Generic[T]):
    """A result that is there, or will be."""

    def __init__(self) -> None:
        self._done = False
        self._result: Any = None  # Any: a T once it is done without an error
        self._error: BaseException | None = None
        self._seen = False
        self._callbacks: list[Callable[[Future[T]], object]] = []

    def done(self) -> bool:
        return self._done

    def result(self) -> T:
        """The result; raises the error that was set instead, or InvalidStateError when it is not done."""
        error = self.exception()
        if error is not None:
            raise error
        result: T = self._result
        return result

    def exception(self) -> BaseException | None:
        """The error that was set, if any; raises InvalidStateError when it is not done."""
        self._check_done()
        self._seen = True
        return self._error

    def add_done_callback(self, callback: Callable[[Future[T]], object]) -> None:
        """Call it when the future is done: now, if it is."""
        self._callbacks.append(callback)
        if self._done:
            self._call_back()

    def set_result(self, result: T) -> None:
        """Be done, and call back whoever waits; raises InvalidStateError when it is done already."""
        self._set_done(result, None)

    def set_exception(self, error: BaseException) -> None:
        """Likewise, with an error."""
        self._set_done(None, error)

    def set_exc_info(self, exc_info: ExcInfo) -> None:
        """Likewise, with the error that is being handled."""
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
            log.error("nobody has looked at the error of a future", exc_info=self._error)
