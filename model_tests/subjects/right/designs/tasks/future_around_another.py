"""A future in own code that keeps its state in a future of concurrent.futures.

The documentation says the two are "designed to mimic" each other, and lists methods but no attributes.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Future(Generic[T]):
    _asyncio_future_blocking = False
    _unseen = False

    def __init__(self, *, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._loop = loop or asyncio.get_event_loop()
        self._cell: concurrent.futures.Future[T] = concurrent.futures.Future()
        self._callbacks: list[tuple[Callable[[Any], object], contextvars.Context]] = []
        self._words: tuple[Any, ...] = ()

    def __del__(self) -> None:
        if self._unseen:
            context = {"message": "Future exception was never retrieved", "future": self}
            self._loop.call_exception_handler(context | {"exception": self._cell.exception()})

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop

    def done(self) -> bool:
        return self._cell.done()

    def cancelled(self) -> bool:
        return self._cell.cancelled()

    def exception(self) -> BaseException | None:
        if self.cancelled():
            raise asyncio.CancelledError(*self._words)
        if not self.done():
            raise asyncio.InvalidStateError("the future is not done")
        self._unseen = False
        return self._cell.exception()

    def result(self) -> T:
        if (error := self.exception()) is not None:
            raise error.with_traceback(self._trace)
        return self._cell.result()

    def add_done_callback(
        self, fn: Callable[[Any], object], *, context: contextvars.Context | None = None
    ) -> None:
        self._callbacks.append((fn, context or contextvars.copy_context()))
        if self.done():
            self._call()

    def remove_done_callback(self, fn: Callable[[Any], object]) -> int:
        before = len(self._callbacks)
        self._callbacks = [pair for pair in self._callbacks if pair[0] != fn]
        return before - len(self._callbacks)

    def _call(self) -> None:
        callbacks, self._callbacks = self._callbacks, []
        for fn, context in callbacks:
            self._loop.call_soon(fn, self, context=context)

    def _open(self) -> concurrent.futures.Future[T]:
        if self.done():
            raise asyncio.InvalidStateError("the future is done")
        return self._cell

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        self._words = () if msg is None else (msg,)
        self._cell.cancel()
        self._call()
        return True

    def set_result(self, result: T) -> None:
        self._open().set_result(result)
        self._call()

    def set_exception(self, exception: BaseException | type[BaseException]) -> None:
        error = exception() if isinstance(exception, type) else exception
        if isinstance(error, StopIteration):
            raise TypeError("StopIteration cannot be raised into a future")
        self._open().set_exception(error)
        self._trace, self._unseen = error.__traceback__, True
        self._call()

    def __await__(self) -> Generator[Any, None, T]:
        if not self.done():
            self._asyncio_future_blocking = True
            yield self
        if not self.done():
            raise RuntimeError("await was not used with the future")
        return self.result()

    __iter__ = __await__
