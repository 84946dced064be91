"""Wrong timeouts, and wait_for()s."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from ._parts import Timeout
from ._parts import wait_for as _wait_for


class LeavesTheCount(Timeout):
    """A timeout that does not take back its cancel, so that the task's cancelling() stays 1.

    Breaks asyncio-task, Task.uncancel(): "This allows for elements of structured concurrency like Task Groups and
    timeout() to continue running, isolating cancellation to the respective structured block."
    """

    async def __aexit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> bool | None:
        expired = self.expired()
        try:
            return bool(await super().__aexit__(exc_type, exc_val, exc_tb)) or None
        finally:
            if expired:
                self._task.cancel()


class StaysArmed(Timeout):
    """A timeout that still cancels the task after its block has ended.

    Breaks asyncio-task, timeout(): "Return an asynchronous context manager that can be used to limit the amount of time
    spent waiting on something" - what comes after the block is not limited.
    """

    async def __aexit__(self: Any, exc_type: Any, exc_val: Any, exc_tb: Any) -> bool | None:
        handler, self._timeout_handler = self._timeout_handler, None
        if handler is not None and exc_type is None:
            asyncio.get_running_loop().call_at(handler.when(), self._task.cancel)
            handler.cancel()
        return bool(await super().__aexit__(exc_type, exc_val, exc_tb)) or None


class ForgetsThatItExpired(Timeout):
    """A timeout whose expired() is False again after the block.

    Breaks asyncio-task, Timeout.expired(): "Return whether the context manager has exceeded its deadline (expired)."
    """

    _left = False

    def expired(self) -> bool:
        return not self._left and bool(super().expired())

    async def __aexit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> bool | None:
        try:
            return bool(await super().__aexit__(exc_type, exc_val, exc_tb)) or None
        finally:
            self._left = True


class NeverRearmed(Timeout):
    """A timeout whose reschedule() changes when() but not the time at which it expires.

    Breaks asyncio-task, Timeout.reschedule(): "Reschedule the timeout."
    """

    def reschedule(self, when: float | None) -> None:
        if self._timeout_handler is None:
            super().reschedule(when)
        else:
            self._when = when


class ReschedulesFromNow(Timeout):
    """A timeout whose reschedule() takes seconds from now.

    Breaks asyncio-task, Timeout: reschedule(when: float | None) takes a time of the loop's clock: "new_deadline =
    get_running_loop().time() + 10; cm.reschedule(new_deadline)."
    """

    _entered = False

    def reschedule(self, when: float | None) -> None:
        if self._entered and when is not None:
            when += asyncio.get_running_loop().time()
        self._entered = True
        super().reschedule(when)


@functools.wraps(asyncio.timeout_at, assigned=["__name__"])
def timeout_at_from_now(when: float | None) -> Any:
    """A timeout_at() that takes seconds from now.

    Breaks asyncio-task, timeout_at(): "Similar to asyncio.timeout(), except when is the absolute time to stop waiting,
    or None."
    """
    return asyncio.timeout(when)


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_leaves_it_running(fut: Any, timeout: float | None) -> Any:
    """A wait_for() that does not cancel what it waited for.

    Breaks asyncio-task, wait_for(): "If a timeout occurs, it cancels the task and raises TimeoutError."
    """
    done, _ = await asyncio.wait([future := asyncio.ensure_future(fut)], timeout=timeout)
    if not done:
        raise TimeoutError
    return future.result()


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_hides_cancels(fut: Any, timeout: float | None) -> Any:
    """A wait_for() that raises TimeoutError when it is cancelled.

    Breaks asyncio-task, wait_for(): "If the wait is cancelled, the future fut is also cancelled" - and the caller sees
    CancelledError.
    """
    try:
        return await _wait_for(fut, timeout)
    except asyncio.CancelledError:
        raise TimeoutError from None


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_spares_the_inner(fut: Any, timeout: float | None) -> Any:
    """A wait_for() that does not cancel its future when it is cancelled itself.

    Breaks asyncio-task, wait_for(): "If the wait is cancelled, the future fut is also cancelled."
    """
    inner = asyncio.ensure_future(fut)
    try:
        return await _wait_for(asyncio.shield(inner), timeout)
    except TimeoutError:
        inner.cancel()
        await asyncio.wait([inner])
        raise


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_swallows_the_failure(fut: Any, timeout: float | None) -> Any:
    """A wait_for() that returns None instead of raising the error of what it waits for.

    Breaks asyncio-task, wait_for(): "Wait for the aw awaitable to complete with a timeout", and Task.result(): the
    exception is raised again.
    """
    done, _ = await asyncio.wait([future := asyncio.ensure_future(fut)], timeout=timeout)
    if not done:
        return await _wait_for(future, 0)
    return None if future.exception() else future.result()


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_hides_the_cleanup(fut: Any, timeout: float | None) -> Any:
    """A wait_for() that raises TimeoutError whatever the cancelled task ended with, a result or another error.

    Breaks asyncio-task, wait_for(): "The function will wait until the future is actually cancelled [...].  If an
    exception happens during cancellation, it is propagated."
    """
    inner = asyncio.ensure_future(fut)
    done, _ = await asyncio.wait([inner], timeout=timeout)
    if not done:
        inner.cancel()
        await asyncio.wait([inner])
        raise TimeoutError
    return inner.result()
