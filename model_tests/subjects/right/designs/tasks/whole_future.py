"""A future in own code: one outcome pair, and a list of callbacks that is read once.

The documentation says "a Future-like object" and fixes the methods; it leaves free what they are made of.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_Callback = Callable[[Any], object]


class Future(Generic[T]):
    _asyncio_future_blocking = False

    def __init__(self, *, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._loop = asyncio.get_event_loop() if loop is None else loop
        self._outcome: tuple[Any, BaseException | None] | None = None
        self._stopped, self._unseen = False, False
        self._cancel_message: Any = None  # asyncio.gather reads this name
        self._calls: list[tuple[_Callback, contextvars.Context]] = []

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def done(self) -> bool:
        return self._stopped or self._outcome is not None

    def cancelled(self) -> bool:
        return self._stopped

    def _end(self) -> None:
        calls, self._calls = self._calls, []
        for call, context in calls:
            self._loop.call_soon(call, self, context=context)

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        self._stopped, self._cancel_message = True, msg
        self._end()
        return True

    def _make_cancelled_error(self) -> asyncio.CancelledError:
        return (
            asyncio.CancelledError()
            if self._cancel_message is None
            else asyncio.CancelledError(self._cancel_message)
        )

    def exception(self) -> BaseException | None:
        if self._stopped:
            raise self._make_cancelled_error()
        if self._outcome is None:
            raise asyncio.InvalidStateError("the future has no result yet")
        self._unseen = False
        return self._outcome[1]

    def result(self) -> T:
        error = self.exception()
        if error is not None:
            raise error
        assert self._outcome is not None
        value: T = self._outcome[0]
        return value

    def set_result(self, result: T) -> None:
        if self.done():
            raise asyncio.InvalidStateError("the future has ended")
        self._outcome = result, None
        self._end()

    def set_exception(self, exception: type[BaseException] | BaseException) -> None:
        if self.done():
            raise asyncio.InvalidStateError("the future has ended")
        error = exception() if isinstance(exception, type) else exception
        if isinstance(error, StopIteration):
            raise TypeError("a StopIteration cannot be raised into a future")
        self._outcome, self._unseen = (None, error), True
        self._end()

    def add_done_callback(self, fn: _Callback, /, *, context: contextvars.Context | None = None) -> None:
        self._calls.append((fn, contextvars.copy_context() if context is None else context))
        if self.done():
            self._end()

    def remove_done_callback(self, fn: _Callback, /) -> int:
        kept = [pair for pair in self._calls if pair[0] != fn]
        removed, self._calls = len(self._calls) - len(kept), kept
        return removed

    def __await__(self) -> Generator[Any, None, T]:
        if not self.done():
            self._asyncio_future_blocking = True
            yield self
        if not self.done():
            raise RuntimeError("await was not used with a future")
        return self.result()

    __iter__ = __await__

    def __del__(self) -> None:
        if self.__dict__.get("_unseen") and self._outcome is not None:
            what = {"message": "the exception of a future was never retrieved", "future": self}
            self._loop.call_exception_handler({**what, "exception": self._outcome[1]})
