"""wait and wait_for: until some of many are done, or one is, within a time.

Theory of operation.
1.  wait parks on a future of its own, which a callback of each awaitable resolves when enough of them are done
    (WAIT-1, WAIT-2, WAIT-3), or a timer does.  It owns nothing: a timeout is no error, and neither a timeout nor a
    cancel of the caller touches the awaitables (WAIT-4, WAIT-5); whatever way it ends, it leaves no callback and no
    timer behind.
2.  wait_for is `timeout` around an await (WAITFOR-1).  A cancel of the caller goes where the caller waits, as it
    always does, so it is neither lost nor kept from the inner one (WAITFOR-4, gh-86296); the timeout is such a
    cancel, so what the inner one makes of it, a result or an error, is what wait_for gives (WAITFOR-3), and only
    a CancelledError becomes a TimeoutError, after the inner one has ended (WAITFOR-2, bpo-32751).
3.  With a timeout that is already over the inner one, if not done, is cancelled before its first step
    (WAITFOR-5, bpo-37658).

Source: CPython documentation of 3.13, "Waiting Primitives", "Timeouts".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from types import GeneratorType
from typing import Any, Final, TypeVar

from ..interfaces import Promise, Spawner, Waiter
from ..tasks.current import running_loop
from .ensure import ensure_future, host_for, isfuture
from .timeout import timeout as time_limit

FIRST_COMPLETED: Final = "FIRST_COMPLETED"
FIRST_EXCEPTION: Final = "FIRST_EXCEPTION"
ALL_COMPLETED: Final = "ALL_COMPLETED"

# Any: a future of ours, or of another runtime.
P = TypeVar("P", bound=Any)


async def wait(
    fs: Iterable[P], *, timeout: float | None = None, return_when: str = ALL_COMPLETED
) -> tuple[set[P], set[P]]:
    """Wait for futures and tasks; gives those that are done and those that are not.

    Parameters:
        fs: futures and tasks.
        timeout: seconds after which it returns whatever is done by then; None: it waits on.
        return_when: FIRST_COMPLETED, FIRST_EXCEPTION (or when all are done) or ALL_COMPLETED.

    Raises:
        TypeError: a coroutine, or a single future, is given, or what is no future (WAIT-6).
        ValueError: nothing is given (WAIT-6), or `return_when` is none of the three.
    """
    if isinstance(fs, Awaitable):
        raise TypeError(f"wait() takes an iterable of futures, not {type(fs).__name__}")
    futures = list(dict.fromkeys(fs))
    if not futures:
        raise ValueError("wait() needs at least one future")
    if return_when not in (FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED):
        raise ValueError(f"Invalid return_when value: {return_when!r}")
    for future in futures:
        if not isfuture(future):
            raise TypeError(f"wait() takes futures and tasks, not {future!r}")
    await _enough(futures, timeout, return_when)
    done = {future for future in futures if future.done()}
    return done, set(futures) - done


async def _enough(futures: list[Any], timeout: float | None, return_when: str) -> None:  # Any: as wait
    """Until as many are done as `return_when` says, or the time is over."""
    host: Spawner = running_loop()
    enough = host.create_future()
    left = len(futures)

    def ended(future: Promise) -> None:
        nonlocal left
        left -= 1
        if not left or return_when == FIRST_COMPLETED or (return_when == FIRST_EXCEPTION and _failed(future)):
            _resolve(enough)

    timer = None if timeout is None else host.call_at(host.time() + timeout, _resolve, enough)
    for future in futures:
        future.add_done_callback(ended)
    try:
        await enough
    finally:
        if timer is not None:
            timer.cancel()
        for future in futures:
            future.remove_done_callback(ended)


def _failed(future: Promise) -> bool:
    return not future.cancelled() and future.exception() is not None


def _resolve(future: Waiter) -> None:
    if not future.done():
        future.set_result(None)


# Any: whatever it gives.
async def wait_for(what: Any, timeout: float | None) -> Any:
    """Wait for one awaitable, for `timeout` seconds at most; None: no limit (WAITFOR-6).

    When the time is over it is cancelled, and when that is done TimeoutError raised; what it returns or raises
    nevertheless is returned or raised.  When the caller is cancelled, it is cancelled too.

    Raises:
        TimeoutError: it took too long.
        TypeError: `what` cannot be awaited.
    """
    if timeout is not None and timeout <= 0:
        return await _at_once(ensure_future(what))
    async with time_limit(timeout):
        # A generator, as in the chapter, is nothing that can be awaited, but a task runs it.
        return await (ensure_future(what) if isinstance(what, GeneratorType) else what)


async def _at_once(inner: Promise) -> Any:  # Any: as wait_for
    """What it has to give now."""
    if inner.done():
        return inner.result()
    await _cancelled(inner)
    try:
        return inner.result()
    except host_for(inner).Cancelled as error:
        raise TimeoutError from error


async def _cancelled(future: Promise) -> None:
    """Cancel it and wait for its end, whatever that is; the caller can be cancelled meanwhile."""
    ended = host_for(future).create_future()
    resolve: Callable[[Promise], None] = lambda _: _resolve(ended)  # noqa: E731  (to be removed it needs a name)
    future.add_done_callback(resolve)
    try:
        future.cancel()
        await ended
    finally:
        future.remove_done_callback(resolve)
