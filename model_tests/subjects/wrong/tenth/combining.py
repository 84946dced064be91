"""Wrong gathers, waits, shields, iterators of results and timeouts."""

from __future__ import annotations

import asyncio
import functools
import sys
from typing import Any

from .._parts import Future, GatheringFuture, Results, Timeout, gather, hand_on, shield, wait, wait_for, when


class _CancelsWhenDone(GatheringFuture):
    def cancel(self, msg: Any = None) -> Any:
        if self.done():
            for child in self._children:
                child.cancel(msg)
        return super().cancel(msg=msg)


@functools.wraps(gather, assigned=())
def gather_that_cancels_when_done(*aws: Any, return_exceptions: bool = False) -> Any:
    """Gather; a cancel after the first exception was raised still cancels the others.

    Breaks "cancelling gather() after it has been marked done won't cancel any submitted awaitables" (gather)."""
    outer = gather(*aws, return_exceptions=return_exceptions)
    if aws:
        outer.__class__ = _CancelsWhenDone
    return outer


class _ForgetsTheCancel(GatheringFuture):
    _cancel_requested = property(lambda self: False, lambda self, value: None)


@functools.wraps(gather, assigned=())
def gather_that_returns_its_cancel(*aws: Any, return_exceptions: bool = False) -> Any:
    """Gather; with return_exceptions, one that is cancelled returns a list of CancelledErrors.

    Breaks "the cancellation is propagated regardless of return_exceptions" (gather, changed in 3.7)."""
    outer = gather(*aws, return_exceptions=return_exceptions)
    if aws:
        outer.__class__ = _ForgetsTheCancel
    return outer


@functools.wraps(wait, assigned=())
async def wait_without_end_at_zero(
    fs: Any, *, timeout: Any = None, return_when: Any = "ALL_COMPLETED"
) -> Any:
    """Wait; a timeout of 0 is none.

    Breaks "control the maximum number of seconds to wait before returning" (wait)."""
    return await wait(fs, timeout=timeout or None, return_when=return_when)


@functools.wraps(wait_for, assigned=())
async def wait_for_that_prefers_a_result(fut: Any, timeout: Any) -> Any:
    """Wait for a future; a cancel of the caller is lost if the future is done by then.

    Breaks "arranges for a CancelledError exception to be thrown" (Task.cancel; bpo-42130)."""
    try:
        return await wait_for(fut, timeout)
    except asyncio.CancelledError:
        if asyncio.isfuture(fut) and fut.done() and not fut.cancelled():
            return fut.result()
        raise


@functools.wraps(wait_for, assigned=())
async def wait_for_that_hides_errors(aw: Any, timeout: Any) -> Any:
    """Wait for an awaitable; an error that it raises when the timeout cancels it becomes a TimeoutError.

    Breaks test_waitfor's test_wait_for_reraises_exception_during_cancellation."""
    if timeout is not None and timeout <= 0:
        return await wait_for(aw, timeout)
    async with Timeout(when(timeout)) as scope:
        try:
            return await aw
        except Exception as error:
            if scope.expired():
                raise TimeoutError from error
            raise


class _HoldsTheCancel(Future):
    _asked = False

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        self._asked, self._cancel_message = True, msg
        return True


def _end(inner: Any, outer: Any) -> None:
    if outer._asked or inner.cancelled():
        Future.cancel(outer, outer._cancel_message)
    else:
        hand_on(inner, outer)


@functools.wraps(asyncio.shield, assigned=())
def shield_that_holds_the_cancel(arg: Any) -> Any:
    """Shield; a caller that is cancelled gets its CancelledError when what it shields is done.

    Breaks "its caller is still cancelled, so the await expression still raises a CancelledError" (shield)."""
    return shield(arg, _end, _HoldsTheCancel)


class _Steps(Results):
    def __init__(self, fs: Any, timeout: float | None) -> None:
        super().__init__(fs)
        self._timeout = timeout

    async def _next(self) -> Any:
        try:
            async with Timeout(when(self._timeout)):
                return await self._done.get()
        except asyncio.CancelledError:
            self._left += 1
            raise


@functools.wraps(asyncio.as_completed, assigned=())
def as_completed_with_time_for_each(fs: Any, *, timeout: float | None = None) -> Any:
    """Iterate over the results; the timeout begins anew for each of them.

    Breaks "A TimeoutError is raised if the timeout occurs before all awaitables are done" (as_completed)."""
    return _Steps(fs, timeout)


class TakesEveryCancel(Timeout):
    """A timeout that has expired and was cancelled from outside too raises TimeoutError for both.

    Breaks "Since there are no new cancel requests, we're handling this" (Timeout.__aexit__, its source)."""

    async def __aenter__(self) -> Any:
        await super().__aenter__()
        self._cancelling = sys.maxsize
        return self


class KeepsItsTimer(Timeout):
    """A timeout whose timer, once set, looks for a later deadline when it fires, and knows of no earlier one.

    Breaks "Reschedule the timeout" (Timeout.reschedule)."""

    def reschedule(self, when: Any) -> None:
        if self._timeout_handler is None or when is None:
            super().reschedule(when)
        self._when = when

    def _on_timeout(self) -> None:
        self._timeout_handler = None
        if self._when <= asyncio.get_running_loop().time():
            super()._on_timeout()
        else:
            super().reschedule(self._when)
