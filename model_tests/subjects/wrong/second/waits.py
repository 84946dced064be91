"""Wrong functions and classes that wait for others: a second set."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable, Iterator
from typing import Any

_wait_for: Any = asyncio.wait_for
_sleep: Any = asyncio.sleep
_Timeout: Any = asyncio.Timeout


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_has_no_time_for_a_done_future(fut: Any, timeout: float | None) -> Any:
    """With a timeout of zero or less, a future that is done already times out.

    Breaks asyncio-task.html, wait_for(): "Wait for the aw awaitable to complete with a timeout."; the
    source, wait_for(), for a timeout <= 0: "if fut.done(): return fut.result()".
    """
    if timeout is not None and timeout <= 0 and asyncio.isfuture(fut) and fut.done():
        raise TimeoutError
    return await _wait_for(fut, timeout)


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_times_out_once(fs: Iterable[Any], *, timeout: float | None = None) -> Any:
    """After a timeout one of the remaining coroutines raises TimeoutError, and the others wait for ever.

    Breaks asyncio-task.html, as_completed(): "Raises TimeoutError if the timeout occurs before all Futures
    are done."; the source, as_completed(), queues a dummy for each future that is left.
    """
    if asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        raise TypeError(f"expect an iterable of futures, not {type(fs).__name__}")
    return _Completed(fs, timeout)


class _Completed:
    """The iterator of as_completed(), which since 3.13 is an asynchronous one too."""

    def __init__(self, fs: Iterable[Any], timeout: float | None) -> None:
        self._done: asyncio.Queue[Any] = asyncio.Queue()
        self._todo = {asyncio.ensure_future(f) for f in set(fs)}
        self._left = len(self._todo)
        self._timer: Any = None
        for future in self._todo:
            future.add_done_callback(self._complete)
        if self._todo and timeout is not None:
            loop = next(iter(self._todo)).get_loop()
            self._timer = loop.call_later(timeout, self._expire)

    def _complete(self, future: Any) -> None:
        self._todo.discard(future)
        self._done.put_nowait(future)
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

    async def _result(self) -> Any:
        return (await self._next()).result()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if not self._left:
            raise StopIteration
        self._left -= 1
        return self._result()

    def __aiter__(self) -> Any:
        return self

    async def __anext__(self) -> Any:
        if not self._left:
            raise StopAsyncIteration
        self._left -= 1
        return await self._next()


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


class TimeoutTakesAForeignCancellation(_Timeout):
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


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_of_zero_is_no_limit(delay: float | None) -> Any:
    """A delay of 0 is taken for None, so that there is no deadline.

    Breaks asyncio-task.html, timeout(): "delay can either be None, or a float/int number of seconds to
    wait. If delay is None, no time limit will be applied".
    """
    return _Timeout(asyncio.get_running_loop().time() + delay if delay else None)
