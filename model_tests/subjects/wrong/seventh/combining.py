"""Wrong implementations of gather, wait, wait_for, shield, as_completed and timeout."""

import asyncio
import functools
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
