"""A whole future in own code: its state is one outcome object that is put in once.

The documentation describes methods and errors of Future, but not its attributes, and it accepts any future-
like object.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable, Generator
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Outcome(NamedTuple):
    value: Any = None
    error: BaseException | None = None
    cancelled: bool = False


class Future(Generic[T]):
    _asyncio_future_blocking = False
    _outcome: Outcome | None = None
    _unseen = False  # an exception that no code has asked for yet

    def __init__(self, *, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._loop = asyncio.get_event_loop() if loop is None else loop
        self._callbacks: list[tuple[Callable[[Any], object], contextvars.Context]] = []

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def done(self) -> bool:
        return self._outcome is not None

    def cancelled(self) -> bool:
        return self._outcome is not None and self._outcome.cancelled

    def _put(self, outcome: Outcome) -> None:
        if self._outcome is not None:
            raise asyncio.InvalidStateError(f"already done: {self!r}")
        self._outcome = outcome
        self._schedule()

    def _schedule(self) -> None:
        callbacks, self._callbacks = self._callbacks, []
        for callback, context in callbacks:
            self._loop.call_soon(callback, self, context=context)

    def set_result(self, result: T, /) -> None:
        self._put(Outcome(value=result))

    def set_exception(self, exception: type[BaseException] | BaseException, /) -> None:
        error = exception() if isinstance(exception, type) else exception
        if isinstance(error, StopIteration):
            cause, error = error, RuntimeError("StopIteration cannot be raised into a Future")
            error.__cause__ = cause
        self._put(Outcome(error=error))
        self._unseen = True

    def cancel(self, msg: Any | None = None) -> bool:
        if self._outcome is not None:
            return False
        self._put(Outcome(value=msg, cancelled=True))
        return True

    @property
    def _cancel_message(self) -> Any:  # asyncio.gather asks for this, and for the next one
        return self._outcome.value if self.cancelled() and self._outcome else None

    def _make_cancelled_error(self) -> asyncio.CancelledError:
        message = self._cancel_message
        return asyncio.CancelledError() if message is None else asyncio.CancelledError(message)

    def exception(self) -> BaseException | None:
        if self._outcome is None:
            raise asyncio.InvalidStateError("not done yet")
        if self._outcome.cancelled:
            raise self._make_cancelled_error()
        self._unseen = False
        return self._outcome.error

    def result(self) -> T:
        error = self.exception()
        if error is not None:
            raise error
        assert self._outcome is not None
        value: T = self._outcome.value
        return value

    def add_done_callback(
        self, callback: Callable[[Any], object], /, *, context: contextvars.Context | None = None
    ) -> None:
        where = contextvars.copy_context() if context is None else context
        if self._outcome is not None:
            self._loop.call_soon(callback, self, context=where)
        else:
            self._callbacks.append((callback, where))

    def remove_done_callback(self, callback: Callable[[Any], object], /) -> int:
        kept = [entry for entry in self._callbacks if entry[0] != callback]
        removed, self._callbacks = len(self._callbacks) - len(kept), kept
        return removed

    def __await__(self) -> Generator[Any, None, T]:
        if self._outcome is None:
            self._asyncio_future_blocking = True
            yield self
            if self._outcome is None:
                raise RuntimeError("await was not used with this future")
        return self.result()

    __iter__ = __await__

    def __del__(self) -> None:
        if self._unseen and self._outcome is not None:
            message = "Future exception was never retrieved"
            what = {"message": message, "exception": self._outcome.error, "future": self}
            self._loop.call_exception_handler(what)
