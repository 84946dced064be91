"""Wrong asyncio.timeout, timeout_at, Timeout and wait_for: expiry beside cancellation, deadlines, clean-up."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from .._parts import Timeout, when

_State: Any = asyncio.timeouts._State  # type: ignore[attr-defined]


class _ComparesWithZero(Timeout):
    async def __aenter__(self) -> Any:
        await super().__aenter__()
        self._cancelling = 0  # not task.cancelling()
        return self


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_fails_in_a_cancelled_task(delay: float | None) -> Any:
    """In a task that was cancelled before the block, as in its clean-up, expiry gives CancelledError (as in 3.11.0).

    Breaks "If long_running_task takes more than 10 seconds to complete, the context manager will cancel the current
    task and handle the resulting asyncio.CancelledError internally, transforming it into an asyncio.TimeoutError"
    (asyncio-task.html, timeout()); timeouts.py compares uncancel() with the count at the block's begin, not with 0.
    """
    return _ComparesWithZero(when(delay))


class TimeoutThatExpiresWithinReschedule(Timeout):
    """reschedule() to a time in the past expires at once, so the deadline cannot be moved again.

    Breaks "if when is in the past, the timeout will trigger on the next iteration of the event loop."
    (asyncio-task.html, Timeout.reschedule())
    """

    def reschedule(self, when: float | None) -> None:
        super().reschedule(when)
        if when is not None and when <= asyncio.get_running_loop().time():
            self._timeout_handler.cancel()
            self._on_timeout()


class TimeoutThatAsksTheClock(Timeout):
    """expired() compares the deadline with the time of the call: a block that ended in time expires later.

    Breaks "Return whether the context manager has exceeded its deadline (expired)." (asyncio-task.html,
    Timeout.expired()); it is the block that has, timeouts.py: "Is timeout expired during execution?"
    """

    def expired(self) -> bool:
        when = self.when()
        return when is not None and bool(when <= asyncio.get_running_loop().time())


class _LeavesTheTimer(Timeout):
    async def __aexit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> Any:
        if exc_type is not None and not issubclass(exc_type, asyncio.CancelledError):
            return None  # the block's own error
        return await super().__aexit__(exc_type, exc_val, exc_tb)


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_runs_on_after_an_error(delay: float | None) -> Any:
    """A block that ends with an error leaves its timer, which cancels the task outside of the block.

    Breaks "Outer code not affected by the timeout ... unrelated_code() should continue running even in case of the
    timeout." (asyncio-task.html, Task.uncancel()); "limits time spent inside of it" (Timeout)
    """
    return _LeavesTheTimer(when(delay))


class _RaisesAtTheBegin(Timeout):
    async def __aenter__(self) -> Any:
        when = self.when()
        if when is not None and when <= asyncio.get_running_loop().time():
            raise TimeoutError
        return await super().__aenter__()


@functools.wraps(asyncio.timeout_at, assigned=["__name__"])
def timeout_at_skips_the_block(when: float | None) -> Any:
    """A deadline in the past raises TimeoutError before the block, though the block may not need to wait.

    Breaks "if when is in the past, the timeout will trigger on the next iteration of the event loop."
    (asyncio-task.html, Timeout.reschedule()), as timeouts.py says of the constructor too.
    """
    return _RaisesAtTheBegin(when)
