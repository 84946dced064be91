"""Wrong wait(), as_completed() and shield()."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable, Iterator
from typing import Any

from ._parts import as_completed as _as_completed
from ._parts import wait as _wait


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_skips_the_cancelled(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() for which a cancelled future is not a completed one with FIRST_COMPLETED.

    Breaks asyncio-task, wait(): "FIRST_COMPLETED: The function will return when any future finishes or is cancelled."
    """
    fs = set(fs)
    while True:
        done, pending = await _wait(fs, timeout=timeout, return_when=return_when)
        if return_when != asyncio.FIRST_COMPLETED or not pending or timeout is not None:
            return done, pending
        if any(not future.cancelled() for future in done):
            return done, pending
        waiting = await _wait(pending, return_when=return_when)
        if any(not future.cancelled() for future in waiting[0]):
            return {future for future in fs if future.done()}, {future for future in fs if not future.done()}


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_cancels_the_late(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() that cancels what is pending at its timeout.

    Breaks asyncio-task, wait(): "Unlike wait_for(), wait() does not cancel the futures when a timeout occurs."
    """
    done, pending = await _wait(fs, timeout=timeout, return_when=return_when)
    if timeout is not None and return_when == asyncio.ALL_COMPLETED:
        for future in pending:
            future.cancel()
    return done, pending


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_raises_timeout(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() that raises TimeoutError if nothing is done at its timeout.

    Breaks asyncio-task, wait(): "Note that this function does not raise TimeoutError."
    """
    done, pending = await _wait(fs, timeout=timeout, return_when=return_when)
    if not done:
        raise TimeoutError
    return done, pending


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_returns_the_first_only(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() with FIRST_COMPLETED that returns one done future, although more are done.

    Breaks asyncio-task, wait(): "Returns two sets of Tasks/Futures: (done, pending)" - a future that is done is not
    pending.
    """
    done, pending = await _wait(fs, timeout=timeout, return_when=return_when)
    if return_when == asyncio.FIRST_COMPLETED and len(done) > 1:
        first = next(future for future in fs if future in done)
        return {first}, pending | (done - {first})
    return done, pending


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_without_timeout(fs: Iterable[Any], *, timeout: float | None = None) -> Any:
    """An as_completed() that ignores its timeout.

    Breaks asyncio-task, as_completed(): "A TimeoutError is raised if the timeout occurs before all awaitables are
    done."
    """
    return _as_completed(fs)


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_cancels_the_late(fs: Iterable[Any], *, timeout: float | None = None) -> Iterator[Any]:
    """An as_completed() that cancels what is pending when one awaitable has failed.

    Breaks asyncio-task, as_completed(): "Run awaitable objects in the aws iterable concurrently" - nothing but the
    caller cancels them.
    """
    futures = [asyncio.ensure_future(aw) for aw in fs]

    async def one(coro: Any) -> Any:
        try:
            return await coro
        except Exception:
            for future in futures:
                future.cancel()
            raise

    return (one(coro) for coro in _as_completed(futures, timeout=timeout))


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_holds_the_caller(arg: Any) -> Any:
    """A shield() whose caller is cancelled only when the shielded task is done.

    Breaks asyncio-task, shield(): "its caller is still cancelled, so the "await" expression still raises a
    CancelledError" - at once, not after something().
    """
    inner = asyncio.ensure_future(arg)

    async def held() -> Any:
        cancelled: BaseException | None = None
        while not inner.done():
            try:
                await _wait([inner])
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled
        return inner.result()

    return asyncio.ensure_future(held())
