"""Wrong functions and classes that wait for others: a second set."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable
from typing import Any

from .._parts import Results, Timeout
from .._parts import sleep as _sleep


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_times_out_once(fs: Iterable[Any], *, timeout: float | None = None) -> Any:
    """After a timeout one of the remaining coroutines raises TimeoutError, and the others wait for ever.

    Breaks asyncio-task.html, as_completed(): "Raises TimeoutError if the timeout occurs before all Futures
    are done."; the source, as_completed(), queues a dummy for each future that is left.
    """
    return _Completed(fs, timeout)


class _Completed(Results):
    def __init__(self, fs: Iterable[Any], timeout: float | None) -> None:
        self._timer: Any = None
        super().__init__(fs)
        if self._todo and timeout is not None:
            self._timer = next(iter(self._todo)).get_loop().call_later(timeout, self._expire)

    def _complete(self, future: Any) -> None:
        self._todo.discard(future)
        super()._complete(future)
        if not self._todo and self._timer is not None:
            self._timer.cancel()

    def _expire(self) -> None:
        for future in self._todo:
            future.remove_done_callback(self._complete)
        self._todo.clear()
        self._done.put_nowait(None)

    async def _next(self) -> Any:
        future = await self._done.get()
        if future is None:
            raise TimeoutError
        return future


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_keeps_its_timer(delay: float, result: Any = None) -> Any:
    """A sleep() that is cancelled leaves its timer, which keeps the result until the delay is over.

    Breaks the source, sleep(): "h.cancel()" in a finally clause; a cancelled sleep must leave nothing
    behind.
    """
    if not delay > 0:
        return await _sleep(delay, result)
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.call_later(delay, lambda: future.done() or future.set_result(result))  # type: ignore[func-returns-value]
    return await future


class TimeoutTakesAForeignCancellation(Timeout):
    """A cancellation by another becomes TimeoutError if the deadline passes in the same turn.

    Breaks the source, Timeout.__aexit__(): only if "there are no new cancel requests" the timeout handles
    the CancelledError; asyncio-task.html, Task.cancel(): "arranges for a CancelledError exception to be
    thrown".
    """

    async def __aexit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> Any:
        """Leave; what was cancelled after the deadline is a timeout."""
        result = await super().__aexit__(exc_type, exc_val, exc_tb)
        if self.expired() and exc_type is not None and issubclass(exc_type, asyncio.CancelledError):
            raise TimeoutError from exc_val
        return result
