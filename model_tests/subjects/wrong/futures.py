"""Wrong futures: callbacks, states and exceptions."""

from __future__ import annotations

import asyncio
from typing import Any

from ._parts import Future


class CallsAtOnce(Future):
    """A future whose set_result() calls the callbacks itself.

    Breaks asyncio-future, Future: "Callbacks registered with add_done_callback() are always called via the event
    loop's call_soon()" (the class's own docstring; the page says that they are scheduled).
    """

    def set_result(self: Any, result: Any) -> None:
        callbacks = list(self._callbacks)
        self._callbacks.clear()
        super().set_result(result)
        for callback, context in callbacks:
            context.run(callback, self)


class CallsBackOnce(Future):
    """A future that keeps a callback once, even if it is added twice.

    Breaks asyncio-future, Future.remove_done_callback(): "Returns the number of callbacks removed, which is typically
    1, unless a callback was added more than once."
    """

    def add_done_callback(self, fn: Any, *, context: Any = None) -> None:
        if not any(fn == known for known, _ in self._callbacks):
            super().add_done_callback(fn, context=context)


class OneErrorStopsTheRest(Future):
    """A future that calls its callbacks in one go, so that an error of one loses those after it.

    Breaks asyncio-future, Future.add_done_callback(): "Add a callback to be run when the Future is done."
    """

    def set_result(self: Any, result: Any) -> None:
        callbacks = list(self._callbacks)
        self._callbacks.clear()
        super().set_result(result)
        if callbacks:
            self._loop.call_soon(self._call_all, callbacks)

    def _call_all(self, callbacks: Any) -> None:
        for callback, context in callbacks:
            context.run(callback, self)


class KeepsTheFirstResult(Future):
    """A future that ignores a second result instead of raising InvalidStateError.

    Breaks asyncio-future, Future.set_result(): "Raises an InvalidStateError error if the Future is already done."
    """

    def set_result(self, result: Any) -> None:
        if not self.done():
            super().set_result(result)


class TakesTheLastException(Future):
    """A future whose set_exception() replaces a result that is already there.

    Breaks asyncio-future, Future.set_exception(): "Raises an InvalidStateError error if the Future is already done."
    """

    def set_exception(self, exception: Any) -> None:
        if self.done():
            self._exception = exception() if isinstance(exception, type) else exception
            self._exception_tb = None
        else:
            super().set_exception(exception)


class CarriesStopIteration(Future):
    """A future that accepts StopIteration as its exception, so that an await of it looks like a return.

    Breaks PEP 479 as asyncio keeps it (futures.py, set_exception: "StopIteration interacts badly with generators and
    cannot be raised into a Future").
    """

    def set_exception(self, exception: Any) -> None:
        if isinstance(exception, StopIteration) or exception is StopIteration:
            super().set_exception(RuntimeError())
            self._exception = exception() if isinstance(exception, type) else exception
        else:
            super().set_exception(exception)


class ReturnsCancelledError(Future):
    """A future whose exception() returns the CancelledError instead of raising it.

    Breaks asyncio-future, Future.exception(): "If the Future has been cancelled, this method raises a CancelledError
    exception."
    """

    def exception(self) -> Any:
        if self.cancelled():
            return asyncio.CancelledError()
        return super().exception()


class NoneIsAResult(Future):
    """A future whose result() is None before there is one.

    Breaks asyncio-future, Future.result(): "If the Future's result isn't yet available, this method raises an
    InvalidStateError exception."
    """

    def result(self) -> Any:
        return super().result() if self.done() else None


class CancelsDone(Future):
    """A future whose cancel() says True when it is done.

    Breaks asyncio-future, Future.cancel(): "If the Future is already done or cancelled, return False."
    """

    def cancel(self, msg: Any = None) -> bool:
        super().cancel(msg)
        return True


class ForgetsItsException(Future):
    """A future whose exception can be retrieved once; after that its result is None.

    Breaks asyncio-future, Future.result(): "If the Future is done and has an exception set by the set_exception()
    method, this method raises the exception."
    """

    def result(self) -> Any:
        try:
            return super().result()
        finally:
            if self.done():
                self._exception = None
