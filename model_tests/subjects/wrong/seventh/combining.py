"""Wrong implementations of gather, wait, wait_for, shield, as_completed and timeout."""

import asyncio
import functools
from collections.abc import Iterable
from types import TracebackType
from typing import Any

# The private names of this class are Any to the type checker, and it is final.
_Timeout: Any = asyncio.Timeout


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_cancels_others_at_error(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather that cancels the other awaitables when one of them fails.

    Breaks "Other awaitables in the aws sequence won't be cancelled and will continue to run."
    """
    outer: Any = asyncio.gather(*aws, return_exceptions=return_exceptions)

    def cancel_others(_: asyncio.Future[Any]) -> None:
        for child in dict.fromkeys(getattr(outer, "_children", ())):
            if not child.done():
                child.cancel()

    outer.add_done_callback(cancel_others)
    return outer


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_merges_duplicates(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather whose list has one result for an awaitable that is given twice.

    Breaks "The order of result values corresponds to the order of awaitables in aws."
    """
    return asyncio.gather(*dict.fromkeys(aws), return_exceptions=return_exceptions)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_takes_cancel_for_exception(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait that returns at FIRST_EXCEPTION when a task is cancelled, though none raised.

    Breaks "The function will return when any future finishes by raising an exception."
    """
    if return_when != asyncio.FIRST_EXCEPTION or asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        return await asyncio.wait(fs, timeout=timeout, return_when=return_when)
    loop = asyncio.get_running_loop()
    end = None if timeout is None else loop.time() + timeout
    done: set[Any] = set()
    pending = set(fs)
    while True:
        left = None if end is None else end - loop.time()
        new, pending = await asyncio.wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        done |= new
        ended = [f for f in new if f.cancelled() or f.exception()]
        if ended or not new or not pending:
            return done, pending


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_returns_result_when_cancelled(fut: Any, timeout: float | None) -> Any:
    """A wait_for that drops a cancel of its caller if the future is done already (since 3.12).

    Breaks "If the wait is cancelled, the future aw is also cancelled", and the caller with it.
    """
    try:
        return await asyncio.wait_for(fut, timeout)
    except asyncio.CancelledError:
        if asyncio.isfuture(fut) and fut.done() and not fut.cancelled():
            return fut.result()
        raise


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_abandons_cancelled_task(fut: Any, timeout: float | None) -> Any:
    """A wait_for that cancels the inner task at the timeout, but does not wait for its end.

    Breaks "The function will wait until the future is actually cancelled".
    """
    if timeout is None or timeout <= 0:
        return await asyncio.wait_for(fut, timeout)
    inner = asyncio.ensure_future(fut)
    try:
        await asyncio.wait({inner}, timeout=timeout)
    except asyncio.CancelledError as error:
        if inner.cancel(*error.args):
            return await inner
        raise
    if inner.done():
        return inner.result()
    inner.cancel()
    raise TimeoutError


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_waits_for_cancelled_task(arg: Any) -> Any:
    """A shield that never ends if its inner task is cancelled.

    Breaks "If something() is cancelled by other means (i.e. from within itself) that would also cancel shield()."
    """
    inner = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    outer = inner.get_loop().create_future()

    def copy_outcome(inner: asyncio.Future[Any]) -> None:
        if inner.cancelled():
            return
        error = inner.exception()
        if outer.cancelled():
            return
        if error is None:
            outer.set_result(inner.result())
        else:
            outer.set_exception(error)

    inner.add_done_callback(copy_outcome)
    outer.add_done_callback(lambda _: inner.remove_done_callback(copy_outcome))
    return outer


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_takes_zero_for_none(fs: Iterable[Any], *, timeout: float | None = None) -> Any:
    """An as_completed for which a timeout of 0 is no timeout.

    Breaks "A TimeoutError is raised if the timeout occurs before all awaitables are done."
    """
    return asyncio.as_completed(fs, timeout=timeout or None)


class _TimeoutTakesAnyCancel(_Timeout):
    async def __aexit__(
        self, et: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        await super().__aexit__(et, exc, tb)
        if self.expired() and et is not None and issubclass(et, asyncio.CancelledError):
            raise TimeoutError from exc


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_takes_cancel_from_outside(delay: float | None) -> Any:
    """A timeout that raises TimeoutError at its deadline, though its task was also cancelled from outside.

    Breaks "handle the resulting asyncio.CancelledError internally, transforming it into a TimeoutError", for no other.
    """
    return _TimeoutTakesAnyCancel(None if delay is None else asyncio.get_running_loop().time() + delay)
