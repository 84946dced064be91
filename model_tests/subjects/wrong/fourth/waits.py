"""Wrong asyncio.wait, wait_for, timeout, timeout_at, as_completed and sleep."""

from __future__ import annotations

import asyncio
import functools
import time
from typing import Any

from .._parts import Results, Timeout, when

_State: Any = asyncio.timeouts._State  # type: ignore[attr-defined]


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_overlooks_an_earlier_error(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """With FIRST_EXCEPTION, a future that had failed before the call is done, but does not end the wait.

    Breaks "FIRST_EXCEPTION: The function will return when any future finishes by raising an exception."
    (asyncio-task.html, wait()); _wait() looks at futures that are done already in their callbacks too.
    """
    if return_when != asyncio.FIRST_EXCEPTION or asyncio.isfuture(fs) or asyncio.iscoroutine(fs) or not fs:
        return await asyncio.wait(fs, timeout=timeout, return_when=return_when)
    given = set(fs)
    early = {future for future in given if asyncio.isfuture(future) and future.done()}
    if early == given:
        return early, set()
    done, pending = await asyncio.wait(given - early, timeout=timeout, return_when=return_when)
    return done | early, pending


class _ChangesEveryError(Timeout):
    async def __aexit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> Any:
        await super().__aexit__(exc_type, exc_val, exc_tb)
        if self.expired() and isinstance(exc_val, Exception):
            raise TimeoutError from exc_val


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_changes_every_error(delay: float | None) -> Any:
    """An error that the block raises in its clean-up after the deadline becomes TimeoutError.

    Breaks "the context manager will cancel the current task and handle the resulting asyncio.CancelledError
    internally, transforming it into a TimeoutError" (asyncio-task.html, timeout()): that error and no other.
    """
    return _ChangesEveryError(when(delay))


@functools.wraps(asyncio.timeout_at, assigned=["__name__"])
def timeout_at_reads_the_wall_clock(when: float | None) -> Any:
    """The deadline is taken for a POSIX time, so that every time of the loop's clock is long over.

    Breaks "Similar to asyncio.timeout(), except when is the absolute time to stop waiting, or None."
    (asyncio-task.html, timeout_at()); timeouts.py: "Please note: it is not POSIX time".
    """
    return asyncio.timeout(None if when is None else when - time.time())


class _ForPromptReaders(Results):
    def __init__(self, fs: Any, timeout: float | None) -> None:
        super().__init__(fs)
        self._deadline = when(timeout)

    async def _next(self) -> Any:
        if self._deadline is not None and self._deadline <= asyncio.get_running_loop().time():
            raise TimeoutError
        async with asyncio.timeout_at(self._deadline):
            return await self._done.get()


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_times_out_a_slow_reader(fs: Any, *, timeout: float | None = None) -> Any:
    """A result that is fetched after the timeout raises TimeoutError, though everything was done in time.

    Breaks "A TimeoutError is raised if the timeout occurs before all awaitables are done." (asyncio-task.html,
    as_completed(); 3.11: "Raises TimeoutError if the timeout occurs before all Futures are done.")
    """
    return _ForPromptReaders(fs, timeout)


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_reports_an_error_when_it_is_cancelled_late(delay: float, result: Any = None) -> Any:
    """The timer sets the result without a look: if sleep() was cancelled just before, the loop reports an error.

    Breaks tasks.py, sleep(): the timer calls futures._set_result_unless_cancelled(), "Helper setting the result only
    if the future was not cancelled."
    """
    if delay <= 0:
        return await asyncio.sleep(delay, result)
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    timer = loop.call_later(delay, future.set_result, result)
    try:
        return await future
    finally:
        timer.cancel()


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_drops_fractions(delay: float, result: Any = None) -> Any:
    """Only the whole seconds of a delay are waited for.

    Breaks "Block for delay seconds." (asyncio-task.html, sleep()), which need not be whole ones.
    """
    return await asyncio.sleep(delay // 1, result)
