"""Wrong answers to arguments at the edge of what is allowed: none, nothing, zero, negative."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable
from typing import Any

from ._parts import Barrier, Condition, Semaphore, Timeout
from ._parts import ensure_future as _ensure_future
from ._parts import gather as _gather
from ._parts import sleep as _sleep
from ._parts import wait as _wait
from ._parts import wait_for as _wait_for


class ZeroPermitsAreOne(Semaphore):
    """A semaphore of value 0 that has one permit.

    Breaks asyncio-sync, Semaphore: "The optional value argument gives the initial value for the internal counter (1 by
    default)."
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value or 1)


class NegativePermits(Semaphore):
    """A semaphore that takes a negative value.

    Breaks asyncio-sync, Semaphore: "If the given value is less than 0 a ValueError is raised."
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(max(0, value))
        self._value = value


class OwnLockOnly(Condition):
    """A condition that makes a lock of its own, although it was given one.

    Breaks asyncio-sync, Condition: "The optional lock argument must be a Lock object or None.  In the latter case a new
    Lock object is created automatically."
    """

    def __init__(self, lock: Any = None) -> None:
        super().__init__()


class NoPartiesIsOne(Barrier):
    """A barrier that takes 0 parties, and is then one for 1.

    Breaks the source, Barrier(): "parties must be > 0" is the ValueError for less than one.
    """

    def __init__(self, parties: int) -> None:
        super().__init__(parties or 1)


class ZeroIsNever(Timeout):
    """A timeout whose deadline has passed when it is entered and that then never expires.

    Breaks asyncio-task, Timeout: "If when < loop.time(), the timeout will trigger on the next iteration of the event
    loop" (docstring).
    """

    def reschedule(self, when: float | None) -> None:
        late = when is not None and when <= asyncio.get_running_loop().time()
        super().reschedule(None if late else when)
        self._when = when


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_of_nothing_waits(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() of nothing that is never done.

    Breaks asyncio-task, gather(): the list of results of no awaitables is empty (source: outer.set_result([])).
    """
    if not aws:
        return asyncio.get_event_loop().create_future()
    return _gather(*aws, return_exceptions=return_exceptions)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_for_nothing(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() of no futures that returns two empty sets.

    Breaks asyncio-task, wait(): "The iterable must not be empty" (the source raises ValueError).
    """
    return await _wait(fs, timeout=timeout, return_when=return_when) if fs else (set(), set())


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_zero_is_for_ever(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() for which a timeout of 0 is none.

    Breaks asyncio-task, wait(): "timeout (a float or int), if specified, can be used to control the maximum number of
    seconds to wait before returning."
    """
    return await _wait(fs, timeout=timeout or None, return_when=return_when)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_takes_coroutines(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() that makes tasks of coroutines.

    Breaks asyncio-task, wait(): "Changed in version 3.11: Passing coroutine objects to wait() directly is forbidden."
    """
    return await _wait(map(_ensure_future, fs), timeout=timeout, return_when=return_when)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_takes_any_condition(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() for which an unknown return_when is ALL_COMPLETED.

    Breaks asyncio-task, wait(): "return_when indicates when this function should return.  It must be one of the
    following constants."
    """
    if return_when not in (asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION):
        return_when = asyncio.ALL_COMPLETED
    return await _wait(fs, timeout=timeout, return_when=return_when)


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_zero_is_for_ever(fut: Any, timeout: float | None) -> Any:
    """A wait_for() for which a timeout of 0 is none.

    Breaks asyncio-task, wait_for(): "timeout can either be None or a float or int number of seconds to wait for.  If
    timeout is None, block until the future completes."
    """
    return await _wait_for(fut, timeout or None)


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_none_is_zero(fut: Any, timeout: float | None) -> Any:
    """A wait_for() for which a timeout of None is 0.

    Breaks asyncio-task, wait_for(): "If timeout is None, block until the future completes."
    """
    return await _wait_for(fut, timeout or 0)


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_negative_fails(fut: Any, timeout: float | None) -> Any:
    """A wait_for() that raises TimeoutError for a future that is done, if the timeout is not positive.

    Breaks the source, wait_for(): "if timeout <= 0 [...]: if fut.done(): return fut.result()".
    """
    if timeout is not None and timeout <= 0:
        _ensure_future(fut).cancel()
        raise TimeoutError
    return await _wait_for(fut, timeout)


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_negative_fails(delay: float, result: Any = None) -> Any:
    """A sleep() of a negative delay that raises ValueError.

    Breaks the source, sleep(): "if delay <= 0: await __sleep0(); return result".
    """
    if delay < 0:
        raise ValueError("sleep length must be non-negative")
    return await _sleep(delay, result)


@functools.wraps(asyncio.ensure_future, assigned=["__name__"])
def ensure_future_of_coroutines(coro_or_future: Any, *, loop: Any = None) -> Any:
    """An ensure_future() that refuses an awaitable that is neither a coroutine nor a future.

    Breaks asyncio-future, ensure_future(): "a Task object that would await on obj, if obj is an awaitable
    (inspect.isawaitable() is used for the test)."
    """
    if not asyncio.isfuture(coro_or_future) and not asyncio.iscoroutine(coro_or_future):
        raise TypeError("an asyncio.Future or a coroutine is required")
    return _ensure_future(coro_or_future, loop=loop)
