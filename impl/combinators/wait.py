"""wait and wait_for: wait for some of many futures, or for one awaitable, with a time limit.

1.  wait parks on a future of its own.  A callback of each awaitable resolves it when enough of them are done (WAIT-1,
    WAIT-2, WAIT-3), or a timer does.  wait owns nothing: a timeout is not an error, and neither a timeout nor a cancel
    of the caller affects the awaitables (WAIT-4, WAIT-5).  However it ends, it leaves no callback and no timer
    (LEAK-6).
2.  wait_for is `timeout` around an await (WAITFOR-1).  A cancel of the caller is forwarded, as always, to the future
    that the caller awaits: it is neither lost nor kept from the inner awaitable (WAITFOR-4, gh-86296).  The timeout is
    such a cancel.  If the inner awaitable then returns a result or raises an error, so does wait_for (WAITFOR-3);
    only a CancelledError becomes a TimeoutError, after the inner awaitable has ended (WAITFOR-2, bpo-32751).  Nothing
    of the caller is kept (LEAK-7).
3.  If the timeout is already over, an inner awaitable that is not done is cancelled before its first step (WAITFOR-5,
    bpo-37658).

Source: CPython documentation of 3.15, "Waiting Primitives", "Timeouts".
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from types import GeneratorType
from typing import Final, TypeVar

from ..interfaces import Foreign, Promise, Spawner, Waiter
from ..tasks.awaiters import TaskProxy
from ..tasks.current import running_loop
from ..tasks.future import Future, isfuture
from .ensure import Awaits, ensure_future, host_for
from .timeout import timeout as time_limit

FIRST_COMPLETED: Final = "FIRST_COMPLETED"
FIRST_EXCEPTION: Final = "FIRST_EXCEPTION"
ALL_COMPLETED: Final = "ALL_COMPLETED"

P = TypeVar("P", bound=Foreign)
T = TypeVar("T")


async def wait(
    fs: Iterable[P], *, timeout: float | None = None, return_when: str = ALL_COMPLETED
) -> tuple[set[P], set[P]]:
    """Wait for futures and tasks; return the set of those that are done and the set of the others.

    Parameters:
        fs: futures and tasks.
        timeout: seconds after which it returns in any case; None: no limit.
        return_when: FIRST_COMPLETED, FIRST_EXCEPTION (or when all are done) or ALL_COMPLETED.

    Raises:
        TypeError: a single future is passed, or an item of `fs` is not a future (WAIT-6).
        ValueError: `fs` is empty (WAIT-6), or `return_when` is none of the three.
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


async def _enough(futures: list[Foreign], timeout: float | None, return_when: str) -> None:
    """Wait until as many are done as `return_when` says, or until the timeout."""
    host: Spawner = running_loop()
    enough = host.create_future()
    waiting = _Waiting(host.current, enough, len(futures), return_when)
    timer = None if timeout is None else host.call_at(host.time() + timeout, _resolve, enough)
    for future in futures:
        future.add_done_callback(waiting.ended)
    try:
        await enough
    finally:
        if timer is not None:
            timer.cancel()
        for future in futures:
            future.remove_done_callback(waiting.ended)


class _Waiting(TaskProxy):
    """The callback of `wait`, on behalf of `task`: it resolves `enough`; `left` futures are not done."""

    __slots__ = ("_enough", "_left", "_return_when")

    def __init__(self, task: Foreign, enough: Waiter, left: int, return_when: str) -> None:
        super().__init__(task)
        self._enough = enough
        self._left = left
        self._return_when = return_when

    def ended(self, future: Promise) -> None:
        self._left -= 1
        when = self._return_when
        if not self._left or when == FIRST_COMPLETED or (when == FIRST_EXCEPTION and _failed(future)):
            _resolve(self._enough)


def _failed(future: Promise) -> bool:
    return not future.cancelled() and future.exception() is not None


def _resolve(future: Waiter) -> None:
    if not future.done():
        future.set_result(None)


async def wait_for(fut: Awaits[T], timeout: float | None) -> T:
    """Wait for one awaitable, for `timeout` seconds at most; None: no limit (WAITFOR-6).

    At the timeout the awaitable is cancelled; once it has ended, TimeoutError is raised.  If it returns a result or
    raises another error nevertheless, so does wait_for.  A cancel of the caller cancels the awaitable too.

    Parameters:
        fut: a future, a coroutine or another awaitable; the name is asyncio's.
        timeout: in seconds.

    Raises:
        TimeoutError: the awaitable took too long.
        TypeError: `fut` cannot be awaited.
    """
    if timeout is not None and timeout <= 0:
        return await _at_once(ensure_future(fut))
    async with time_limit(timeout):
        # A generator, as in the chapter, cannot be awaited, but a task can run it.
        inner: Foreign = ensure_future(fut) if isinstance(fut, GeneratorType) else fut
        result: T = await inner
        return result


async def _at_once(inner: Future[T]) -> T:
    """Return the result, if there is one now; otherwise cancel `inner`."""
    if inner.done():
        return inner.result()
    await _cancelled(inner)
    try:
        return inner.result()
    except host_for(inner).Cancelled as error:
        raise TimeoutError from error


async def _cancelled(future: Promise) -> None:
    """Cancel it and wait until it is done, however it ends; the caller can be cancelled meanwhile."""
    future.cancel()
    await _enough([future], None, ALL_COMPLETED)
