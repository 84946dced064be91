"""Wrong tasks, futures and waits that lose or change the message of a cancel()."""

from __future__ import annotations

import asyncio
import functools
import sys
from typing import Any

from ._parts import Future, Lock, Queue, Task
from ._parts import gather as _gather
from ._parts import wait_for as _wait_for


class MessageBecomesText(Task):
    """A task that makes a string of the message.

    Breaks asyncio-task, Task.cancel(): "The msg parameter is propagated from cancelled task to its awaiter" - the
    object itself, whatever its type is.
    """

    def cancel(self, msg: Any = None) -> bool:
        return bool(super().cancel(None if msg is None else str(msg)))


class NoMessageIsNone(Future):
    """A future whose CancelledError has the argument None when there is no message.

    Breaks the source, Future._make_cancelled_error(): without a message the error is CancelledError().
    """

    def _make_cancelled_error(self) -> BaseException:
        return asyncio.CancelledError(self._cancel_message)


class MessageOfTheFirstStays(Task):
    """A task that keeps the message of the first of two cancels that its coroutine saw one after the other.

    Breaks asyncio-task, Task.cancel(): the msg parameter is that of the request whose CancelledError is thrown.
    """

    _first: Any = None

    def cancel(self, msg: Any = None) -> bool:
        self._first = self._first if self._first is not None else msg
        return bool(super().cancel(self._first))


class LockLosesTheMessage(Lock):
    """A lock whose acquire() raises a CancelledError of its own, without the message.

    Breaks asyncio-task, Task.cancel(): "The msg parameter is propagated from cancelled task to its awaiter."
    """

    async def acquire(self) -> Any:
        try:
            return await super().acquire()
        except asyncio.CancelledError:
            raise asyncio.CancelledError from None


class QueueLosesTheMessage(Queue):
    """A queue whose get() raises a CancelledError of its own, without the message.

    Breaks asyncio-task, Task.cancel(): "The msg parameter is propagated from cancelled task to its awaiter."
    """

    async def get(self) -> Any:
        try:
            return await super().get()
        except asyncio.CancelledError:
            raise asyncio.CancelledError from None


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_drops_the_message(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
    """A gather() that cancels its children without the message.

    Breaks asyncio-task, gather(): "If gather() is cancelled, all submitted awaitables (that have not completed yet) are
    also cancelled", with the msg of the request (source: child.cancel(msg=msg)).
    """
    outer = _gather(*coros_or_futures, return_exceptions=return_exceptions)
    if coros_or_futures:
        outer.cancel = lambda msg=None: type(outer).cancel(outer)
    return outer


if sys.version_info >= (3, 12):  # asyncio's own wait_for() of 3.11 drops it, too

    @functools.wraps(asyncio.wait_for, assigned=["__name__"])
    async def wait_for_drops_the_message(fut: Any, timeout: float | None) -> Any:
        """A wait_for() that cancels what it waits for without the message.

        Breaks asyncio-task, wait_for(): "If the wait is cancelled, the future fut is also cancelled", and
        Task.cancel(): the msg parameter is propagated.
        """
        inner = asyncio.ensure_future(fut)
        try:
            return await _wait_for(asyncio.shield(inner), timeout)
        except (asyncio.CancelledError, TimeoutError):
            inner.cancel()
            await asyncio.wait([inner])
            raise
