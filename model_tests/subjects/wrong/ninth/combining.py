"""Wrong implementations of asyncio's functions that combine awaitables, and of its timeouts."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable
from typing import Any

_Timeout: Any = asyncio.Timeout  # a final class to the check
_Sets = tuple[set[asyncio.Future[Any]], set[asyncio.Future[Any]]]


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
