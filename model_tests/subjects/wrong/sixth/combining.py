"""Wrong gather, wait, wait_for, shield, as_completed and timeout: each takes the place of asyncio's."""

from __future__ import annotations

import asyncio
import functools
import sys
from typing import Any

from .._parts import GatheringFuture, Queue, Timeout, hand_on, shield, when
from .._parts import as_completed as _as_completed
from .._parts import gather as _gather
from .._parts import wait as _wait


@functools.wraps(_gather, assigned=["__name__"])
def gather_drops_twins(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() whose list has one result for a future that was passed twice.

    Breaks asyncio-task, gather(): "The order of result values corresponds to the order of awaitables in
    aws."
    """
    return _gather(*dict.fromkeys(aws), return_exceptions=return_exceptions)


class _CancelsChildrenOnly(GatheringFuture):
    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        return any([child.cancel(msg=msg) for child in self._children])  # noqa: C419  # each is cancelled


@functools.wraps(_gather, assigned=["__name__"])
def gather_swallows_cancel(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() that, with return_exceptions, returns a list of errors when it is cancelled itself.

    Breaks asyncio-task, gather(): "If the gather itself is cancelled, the cancellation is propagated
    regardless of return_exceptions."
    """
    outer = _gather(*aws, return_exceptions=return_exceptions)
    if isinstance(outer, GatheringFuture):
        outer.__class__ = _CancelsChildrenOnly
    return outer


@functools.wraps(_wait, assigned=["__name__"])
async def wait_takes_cancel_for_error(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() that, with FIRST_EXCEPTION, also returns when a future is cancelled.

    Breaks asyncio-task, wait(): "The function will return when any future finishes by raising an exception.
    If no future raises an exception then it is equivalent to ALL_COMPLETED."
    """
    if return_when != asyncio.FIRST_EXCEPTION:
        return await _wait(fs, timeout=timeout, return_when=return_when)
    loop = asyncio.get_running_loop()
    end = None if timeout is None else loop.time() + timeout
    done, pending = await _wait(fs, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    new = done
    while pending and new and not any(fut.cancelled() or fut.exception() is not None for fut in new):
        left = None if end is None else max(0.0, end - loop.time())
        new, pending = await _wait(pending, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        done |= new
    return done, pending


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_misses_inner_cancel(arg: Any) -> Any:
    """A shield() that goes on waiting when the task inside is cancelled.

    Breaks asyncio-task, shield(): "If something() is cancelled by other means (i.e. from within itself)
    that would also cancel shield()."
    """
    return shield(arg, lambda inner, outer: None if inner.cancelled() else hand_on(inner, outer))


if sys.version_info >= (3, 13):

    class _NewestFirst(Queue):
        def _put(self, item: Any) -> None:
            if item is None:  # the mark of a timeout, which comes after what is done
                self._queue.appendleft(item)
            else:
                self._queue.append(item)

        def _get(self) -> Any:
            return self._queue.pop()

    @functools.wraps(_as_completed, assigned=["__name__"])
    def as_completed_newest_first(fs: Any, *, timeout: float | None = None) -> Any:
        """An as_completed() that gives, of several that are done, the one that was done last.

        Breaks asyncio-task, as_completed(): "Each coroutine returned can be awaited to get the earliest next
        result from the iterable of the remaining awaitables."
        """
        iterator = _as_completed(fs, timeout=timeout)
        iterator._done = _NewestFirst()
        return iterator


class _KeepsOldDeadline(Timeout):
    def reschedule(self, when: float | None) -> None:
        if when is None and self._timeout_handler is not None:
            self._when = None
            return
        super().reschedule(when)


@functools.wraps(asyncio.timeout, assigned=["__name__"])
def timeout_keeps_old_deadline(delay: float | None) -> Any:
    """A timeout() with a reschedule(None) that leaves the timer of the old deadline running.

    Breaks asyncio-task, Timeout.reschedule(): "If when is None, any current deadline will be removed, and
    the context manager will wait indefinitely."
    """
    return _KeepsOldDeadline(when(delay))
