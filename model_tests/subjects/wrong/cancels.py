"""Wrong tasks that do something else with requests to cancel them."""

from __future__ import annotations

import asyncio
from typing import Any

from ._parts import Future, Task


class CancelsOnlyOnce(Task):
    """A task that ignores a second cancel() while the first one counts.

    Breaks asyncio-task, Task.cancel(): "If the Task is already done or cancelled, return False, otherwise, return
    True.  The method arranges for a CancelledError exception to be thrown into the wrapped coroutine."
    """

    def cancel(self, msg: Any = None) -> bool:
        return not self._num_cancels_requested and super().cancel(msg)


class CancelsForGood(Task):
    """A task that is cancelled although its coroutine suppressed the CancelledError and returned.

    Breaks asyncio-task, Task.cancel(): "The coroutine then has a chance to clean up or even deny the request by
    suppressing the exception."
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        super().__init__(self._ended(coro), **options)

    async def _ended(self, coro: Any) -> Any:
        result = await coro
        if self.cancelling():
            raise asyncio.CancelledError
        return result


class CancelsWithoutCleanup(Task):
    """A task that is cancelled as soon as cancel() is called; its coroutine is only closed later.

    Breaks asyncio-task, Task.cancelled(): "The Task is cancelled when the cancellation was requested with cancel() and
    the wrapped coroutine propagated the CancelledError exception thrown into it."
    """

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        self._num_cancels_requested += 1
        self._loop.call_soon(self._Task__step)
        return bool(Future.cancel(self, msg))

    def _Task__step(self: Any, exc: Any = None) -> None:
        if not self.done():
            super()._Task__step(exc)
        elif self._coro is not None:
            coro, self._coro = self._coro, None
            self._log_destroy_pending = False
            self._close(coro)

    @staticmethod
    def _close(coro: Any) -> None:
        try:
            coro.throw(asyncio.CancelledError())
            while True:  # nothing that the cleanup awaits is waited for
                coro.send(None)
        except (Exception, asyncio.CancelledError):
            pass


class RunsOnceCancelled(Task):
    """A task that is cancelled before its first step and runs up to its first suspension all the same.

    Breaks asyncio-task, Task.cancel(): "a CancelledError exception to be thrown into the wrapped coroutine on the next
    cycle of the event loop" - a coroutine that has not started ends there, and none of its code runs.
    """

    _started = False

    def _Task__step(self: Any, exc: Any = None) -> None:
        if not self._started:
            self._started = True
            requested, self._must_cancel = self._must_cancel, False
            super()._Task__step(exc)
            if requested and not self.done():
                self._must_cancel = not (self._fut_waiter is not None and self._fut_waiter.cancel())
        else:
            super()._Task__step(exc)


class SparesTheInner(Task):
    """A task that is cancelled while it awaits another one, which runs on.

    Breaks asyncio-task, "Shielding From Cancellation": only with shield() is it so that "if the coroutine containing it
    is cancelled, the Task running in something() is not cancelled".
    """

    def cancel(self: Any, msg: Any = None) -> bool:
        waiter = self._fut_waiter
        if self.done() or not isinstance(waiter, (Task, asyncio.Task)) or waiter.done():
            return bool(super().cancel(msg))
        waiter.remove_done_callback(self._Task__wakeup)
        self._fut_waiter = None
        self._loop.call_soon(self._Task__step)
        return bool(super().cancel(msg))


class FailsWhenCancelled(Task):
    """A task that counts a CancelledError which nothing requested as an error of its coroutine.

    Breaks the source, Task.cancel(): "A task will be marked as cancelled when the wrapped coroutine terminates with a
    CancelledError exception (even if cancel() was not called)."
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        super().__init__(self._ended(coro), **options)

    async def _ended(self, coro: Any) -> Any:
        try:
            return await coro
        except asyncio.CancelledError as error:
            if self.cancelling():
                raise
            raise RuntimeError("cancelled, but not by cancel()") from error
