"""Wrong ways of cancellation messages and errors through Future, Task, gather, shield, wait_for, TaskGroup, timeout."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from .._parts import Future, Task, TaskGroup, Timeout, hand_on, shield, when


class FutureThatTakesTheLastMessage(Future):
    """A second cancel() returns False, but its message replaces that of the first.

    Breaks "If the Future is already done or cancelled, return False. Otherwise, change the Future's state to
    cancelled, schedule the callbacks, and return True." (asyncio-future.html, Future.cancel()); futures.py,
    Future.cancel(), returns before it touches the message.
    """

    def cancel(self, msg: Any = None) -> bool:
        self._cancel_message = msg
        return bool(super().cancel(msg))


class TaskThatRepeatsTheRequest(Task):
    """The awaiter gets an error with cancel()'s message, not the CancelledError that the coroutine ended with.

    Breaks tasks.py, Task.__step(): "Save the original exception so we can chain it later"; the awaiter of the task
    sees the error, and the traceback, of the place where the coroutine was cancelled. "result() ... if the coroutine
    raised an exception, that exception is re-raised" (asyncio-task.html, Task.result())
    """

    _told: Any = None

    def cancel(self, msg: Any = None) -> bool:
        if not self.done():
            self._told = msg
        return bool(super().cancel(msg))

    def _make_cancelled_error(self) -> asyncio.CancelledError:
        self._cancelled_exc = None
        return asyncio.CancelledError() if self._told is None else asyncio.CancelledError(self._told)


def _fail(inner: Any, outer: Any) -> None:
    if inner.cancelled() and not outer.cancelled():
        outer.set_exception(inner._make_cancelled_error())
    else:
        hand_on(inner, outer)


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_fails_instead_of_being_cancelled(arg: Any) -> Any:
    """If what it shields is cancelled, the shield gets a CancelledError as its exception, and is not cancelled().

    Breaks "If something() is cancelled by other means (i.e. from within itself) that would also cancel shield()."
    (asyncio-task.html, shield())
    """
    return shield(arg, _fail)


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_raises_a_new_error(fut: Any, timeout: float | None) -> Any:
    """If the wait is cancelled, a new CancelledError is raised, without the message of the cancel().

    Breaks "Changed in version 3.11: The msg parameter is propagated from cancelled task to its awaiter."
    (asyncio-task.html, Task.cancel()); tasks.py, wait_for(), lets the error through (up to 3.11: "raise").
    """
    caller: Any = asyncio.current_task()
    before = caller.cancelling()
    try:
        return await asyncio.wait_for(fut, timeout)
    except asyncio.CancelledError:
        if caller.cancelling() > before:
            raise asyncio.CancelledError from None
        raise


class TaskGroupThatRaisesANewError(TaskGroup):
    """A cancelled group cleans up and raises a new CancelledError in the place of the one that it got.

    Breaks "In case asyncio.CancelledError is explicitly caught, it should generally be propagated when clean-up is
    complete." (asyncio-task.html, Task Cancellation) and taskgroups.py, TaskGroup.__aexit__():
    "raise propagate_cancellation_error", which has the message of the cancel().
    """

    async def __aexit__(self, et: Any, exc: Any, tb: Any) -> Any:
        cancelled = False
        try:
            await super().__aexit__(et, exc, tb)
        except asyncio.CancelledError:
            cancelled = True
        if cancelled:
            raise asyncio.CancelledError from None


class _TimeoutWithoutACause(Timeout):
    async def __aexit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> Any:
        try:
            return await super().__aexit__(exc_type, exc_val, exc_tb)
        except TimeoutError:
            raise TimeoutError from None


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_hides_the_cause(delay: float | None) -> Any:
    """The TimeoutError has no cause: the handler does not see where the block was interrupted.

    Breaks timeouts.py, Timeout.__aexit__(): "raise TimeoutError from exc_val"; "the context manager will cancel the
    current task and handle the resulting asyncio.CancelledError internally, transforming it into an
    asyncio.TimeoutError" (asyncio-task.html, timeout())
    """
    return _TimeoutWithoutACause(when(delay))
