"""Wrong implementations of asyncio's functions that combine awaitables, and of its timeouts."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Iterable
from typing import Any, Self

_Timeout: Any = asyncio.Timeout  # a final class to the check
_Sets = tuple[set[asyncio.Future[Any]], set[asyncio.Future[Any]]]


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_that_starts_a_coroutine_twice(
    *aws: Any, return_exceptions: bool = False
) -> asyncio.Future[list[Any]]:
    """A gather that makes a task of each argument, also when the same coroutine is given twice.

    Breaks "If any awaitable in aws is a coroutine, it is automatically scheduled as a Task": the second one fails.
    """
    tasks = [asyncio.ensure_future(each) for each in aws]
    return asyncio.gather(*tasks, return_exceptions=return_exceptions)


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_that_returns_its_own_cancel(
    *aws: Any, return_exceptions: bool = False
) -> asyncio.Future[list[Any]]:
    """A gather that, with return_exceptions, is not cancelled by a cancel, but returns a list of CancelledErrors.

    Breaks "If gather() is cancelled, all submitted awaitables are also cancelled": the caller does not notice.
    """
    futures = {each: asyncio.ensure_future(each) for each in dict.fromkeys(aws)}
    children = [futures[each] for each in aws]
    gathered = asyncio.gather(*children, return_exceptions=return_exceptions)
    if return_exceptions and aws:
        gathered.cancel = lambda msg=None: True in [c.cancel(msg) for c in children]  # type: ignore[method-assign]
    return gathered


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_that_takes_no_time_for_all_time(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> _Sets:
    """A wait that takes a timeout of 0 for none, and waits without end.

    Breaks "timeout can be used to control the maximum number of seconds to wait before returning".
    """
    return await asyncio.wait(fs, timeout=timeout or None, return_when=return_when)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_that_returns_the_winner_only(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> _Sets:
    """A wait for FIRST_COMPLETED that returns one future as done, and others that are done as pending.

    Breaks "Returns two sets of Tasks/Futures: (done, pending)".
    """
    given: Any = fs if inspect.isawaitable(fs) else list(fs)
    done, pending = await asyncio.wait(given, timeout=timeout, return_when=return_when)
    if return_when != asyncio.FIRST_COMPLETED or not done:
        return done, pending
    winner = next(each for each in given if each in done)
    return {winner}, set(given) - {winner}


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_that_abandons_its_task(fut: Awaitable[Any], timeout: float | None) -> Any:
    """A wait_for that uses wait, and lets the task go on when its caller is cancelled.

    Breaks "If the wait is cancelled, the future aw is also cancelled".
    """
    if timeout is not None and timeout <= 0:
        return await asyncio.wait_for(fut, timeout)
    task = asyncio.ensure_future(fut)
    await asyncio.wait([task], timeout=timeout)
    if not task.done():
        task.cancel()
        await asyncio.wait([task])
        if task.cancelled():
            raise TimeoutError
    return task.result()


class _Shield(asyncio.Future[Any]):
    """A future that ends as another does, and that no cancel ends."""

    def cancel(self, msg: Any | None = None) -> bool:
        return not self.done()

    def follow(self, inner: asyncio.Future[Any]) -> None:
        if inner.cancelled():
            super().cancel()
        elif (error := inner.exception()) is not None:
            self.set_exception(error)
        else:
            self.set_result(inner.result())


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_that_swallows_the_cancel(arg: Awaitable[Any]) -> asyncio.Future[Any]:
    """A shield that protects its caller as well: a cancel of the caller is lost while it awaits the shield.

    Breaks "its caller is still cancelled, so the await expression still raises a CancelledError".
    """
    inner = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    outer = _Shield(loop=inner.get_loop())
    inner.add_done_callback(outer.follow)
    return outer


class _Steps:
    """An iterator of futures in the order of their completion."""

    def __init__(self, aws: Iterable[Awaitable[Any]], timeout: float | None) -> None:
        self._timeout = timeout
        self._done: asyncio.Queue[asyncio.Future[Any]] = asyncio.Queue()
        futures = [asyncio.ensure_future(each) for each in set(aws)]
        self._left = len(futures)
        for future in futures:
            future.add_done_callback(self._done.put_nowait)

    def __iter__(self) -> Self:
        return self

    __aiter__ = __iter__

    def __next__(self) -> Awaitable[Any]:
        if not self._left:
            raise StopIteration
        self._left -= 1
        return self._result()

    async def __anext__(self) -> asyncio.Future[Any]:
        if not self._left:
            raise StopAsyncIteration
        self._left -= 1
        return await self._next_done()

    async def _next_done(self) -> asyncio.Future[Any]:
        async with asyncio.timeout(self._timeout):
            return await self._done.get()

    async def _result(self) -> Any:
        return (await self._next_done()).result()


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_with_a_timeout_per_step(fs: Any, *, timeout: float | None = None) -> _Steps:
    """An as_completed whose timeout begins again with each step.

    Breaks "Raises TimeoutError if the timeout occurs before all awaitables are done".
    """
    if inspect.isawaitable(fs):
        raise TypeError(f"expects an iterable of awaitables, not {type(fs).__name__}")
    return _Steps(fs, timeout)


class _TimeoutOfManyTimers(_Timeout):
    """A timeout that cancels no timer when it is rescheduled."""

    def reschedule(self, when: float | None) -> None:
        if self._state.value == "active":
            self._timeout_handler = None
        super().reschedule(when)

    def _on_timeout(self) -> None:
        if self._state.value == "active":
            super()._on_timeout()


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_that_keeps_its_first_deadline(delay: float | None) -> Any:
    """A timeout that is rescheduled by one more timer, while the timers before stay set.

    Breaks "Reschedule the timeout" of `Timeout.reschedule`: a later deadline, or none, changes nothing.
    """
    return _TimeoutOfManyTimers(None if delay is None else asyncio.get_running_loop().time() + delay)


class _TimeoutOfTheFuture(_Timeout):
    """A timeout that sets no timer for a deadline that has passed."""

    def reschedule(self, when: float | None) -> None:
        super().reschedule(when)
        if when is not None and when <= asyncio.get_running_loop().time():
            self._timeout_handler.cancel()


@functools.wraps(asyncio.timeout_at, assigned=["__name__"])
def timeout_at_that_ignores_the_past(when: float | None) -> Any:
    """A timeout_at whose deadline has no effect if it has passed when the block is entered.

    Breaks "If when < loop.time(), the timeout will trigger on the next iteration of the event loop" of `Timeout`.
    """
    return _TimeoutOfTheFuture(when)
