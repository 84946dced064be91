"""Teaching code: rung 19, Tornado's way, 1 of 4: a Future that knows whether it is done.

Teaches: a future gets one result, a value or an error, and calls each callback once; at once if it is done.
Changed against `rungs/futures.py`: little, because that Future was corrected after this one, which derives from it
here.  Errors are passed as `sys.exc_info()`, which kept their tracebacks before Python 3.
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
from types import TracebackType
from typing import TypeAlias, TypeVar

from ..rungs import futures

T = TypeVar("T")

#: The result of `sys.exc_info()` in an `except` block.
ExcInfo: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None]

log = logging.getLogger(__name__)


class Future(futures.Future[T]):
    """The Future of rung 8, which knows whether its error was retrieved and survives an interrupt."""

    _seen = False

    def exception(self) -> BaseException | None:
        """The error, or None; raises InvalidStateError when it is pending."""
        error = super().exception()
        self._seen = True
        return error

    def set_exc_info(self, exc_info: ExcInfo) -> None:
        """Set the error that is being handled."""
        self.set_exception(exc_info[1])

    def _call_back(self) -> None:
        try:
            super()._call_back()
        except BaseException:
            self._call_back()
            raise

    def __del__(self) -> None:
        if self._error is not None and not self._seen:
            log.error("the error of a future was never retrieved", exc_info=self._error)
