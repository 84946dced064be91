"""Wrong gather, wait, wait_for, shield, as_completed and timeout: each takes the place of asyncio's."""

from __future__ import annotations

import asyncio
import functools
import sys
from typing import Any

_gather: Any = asyncio.gather
_wait: Any = asyncio.wait
_wait_for: Any = asyncio.wait_for
_shield: Any = asyncio.shield
_as_completed: Any = asyncio.as_completed
_timeout: Any = asyncio.timeout
_Queue: Any = asyncio.Queue
_Timeout: Any = asyncio.Timeout
_GatheringFuture: Any = asyncio.tasks._GatheringFuture  # type: ignore[attr-defined]


@functools.wraps(_gather, assigned=["__name__"])
def gather_drops_twins(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() whose list has one result for a future that was passed twice.

    Breaks asyncio-task, gather(): "The order of result values corresponds to the order of awaitables in
    aws."
    """
    return _gather(*dict.fromkeys(aws), return_exceptions=return_exceptions)


class _CancelsChildrenOnly(_GatheringFuture):
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
    if isinstance(outer, _GatheringFuture):
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


async def _done_in_time(fut: Any, timeout: float) -> bool:
    if timeout <= 0 or fut.done():
        return bool(fut.done())
    try:
        await _wait({fut}, timeout=timeout)
    except asyncio.CancelledError:
        if fut.done() and sys.version_info < (3, 12):
            return True
        fut.cancel()
        await _wait({fut})
        raise
    return bool(fut.done())


@functools.wraps(_wait_for, assigned=["__name__"])
async def wait_for_leaves_early(fut: Any, timeout: float | None) -> Any:
    """A wait_for() that raises TimeoutError without waiting for the cancelled task to end.

    Breaks asyncio-task, wait_for(): "The function will wait until the future is actually cancelled, so the
    total wait time may exceed the timeout."
    """
    if timeout is None:
        return await fut
    fut = asyncio.ensure_future(fut)
    if await _done_in_time(fut, timeout):
        return fut.result()
    fut.cancel()
    raise TimeoutError


@functools.wraps(_wait_for, assigned=["__name__"])
async def wait_for_hides_cleanup_error(fut: Any, timeout: float | None) -> Any:
    """A wait_for() that raises TimeoutError in place of an error from the clean-up of the cancelled task.

    Breaks asyncio-task, wait_for(): "If an exception happens during cancellation, it is propagated."
    """
    if timeout is None:
        return await fut
    fut = asyncio.ensure_future(fut)
    if await _done_in_time(fut, timeout):
        return fut.result()
    fut.cancel()
    await _wait({fut})
    try:
        return fut.result()
    except (asyncio.CancelledError, Exception) as error:
        raise TimeoutError from error


@functools.wraps(_shield, assigned=["__name__"])
def shield_misses_inner_cancel(arg: Any) -> Any:
    """A shield() that goes on waiting when the task inside is cancelled.

    Breaks asyncio-task, shield(): "If something() is cancelled by other means (i.e. from within itself)
    that would also cancel shield()."
    """
    inner: Any = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    outer: Any = inner.get_loop().create_future()

    def inner_done(inner: Any) -> None:
        if inner.cancelled():
            return
        error = inner.exception()
        if outer.cancelled():
            return
        if error is not None:
            outer.set_exception(error)
        else:
            outer.set_result(inner.result())

    def outer_done(outer: Any) -> None:
        if not inner.done():
            inner.remove_done_callback(inner_done)

    inner.add_done_callback(inner_done)
    outer.add_done_callback(outer_done)
    return outer


class _NewestFirst(_Queue):
    def _put(self, item: Any) -> None:
        if item is None:  # the mark of a timeout, which comes after what is done
            self._queue.appendleft(item)
        else:
            self._queue.append(item)

    def _get(self) -> Any:
        return self._queue.pop()


def _generate_newest_first(fs: Any, timeout: float | None) -> Any:
    if asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        raise TypeError(f"expect an iterable of futures, not {type(fs).__name__}")
    done = _NewestFirst()
    loop = asyncio.get_event_loop()
    todo = {asyncio.ensure_future(fut, loop=loop) for fut in set(fs)}
    timer: asyncio.TimerHandle | None = None

    def on_timeout() -> None:
        for fut in todo:
            fut.remove_done_callback(on_done)
            done.put_nowait(None)
        todo.clear()

    def on_done(fut: Any) -> None:
        if not todo:
            return
        todo.remove(fut)
        done.put_nowait(fut)
        if not todo and timer is not None:
            timer.cancel()

    async def wait_for_one() -> Any:
        fut = await done.get()
        if fut is None:
            raise TimeoutError
        return fut.result()

    for fut in todo:
        fut.add_done_callback(on_done)
    if todo and timeout is not None:
        timer = loop.call_later(timeout, on_timeout)
    for _ in range(len(todo)):
        yield wait_for_one()


@functools.wraps(_as_completed, assigned=["__name__"])
def as_completed_newest_first(fs: Any, *, timeout: float | None = None) -> Any:
    """An as_completed() that gives, of several that are done, the one that was done last.

    Breaks asyncio-task, as_completed(): "Each coroutine returned can be awaited to get the earliest next
    result from the iterable of the remaining awaitables."
    """
    if sys.version_info < (3, 13):
        return _generate_newest_first(fs, timeout)
    iterator = _as_completed(fs, timeout=timeout)
    iterator._done = _NewestFirst()
    return iterator


def _deadline(delay: float | None) -> float | None:
    loop = asyncio.get_running_loop()
    return None if delay is None else loop.time() + delay


class _KeepsOldDeadline(_Timeout):
    def reschedule(self, when: float | None) -> None:
        if when is None and self._timeout_handler is not None:
            self._when = None
            return
        super().reschedule(when)


@functools.wraps(_timeout, assigned=["__name__"])
def timeout_keeps_old_deadline(delay: float | None) -> Any:
    """A timeout() with a reschedule(None) that leaves the timer of the old deadline running.

    Breaks asyncio-task, Timeout.reschedule(): "If when is None, any current deadline will be removed, and
    the context manager will wait indefinitely."
    """
    return _KeepsOldDeadline(_deadline(delay))


class _TakesEveryCancel(_Timeout):
    async def __aenter__(self) -> Any:
        await super().__aenter__()
        self._cancelling = sys.maxsize
        return self


@functools.wraps(_timeout, assigned=["__name__"])
def timeout_takes_every_cancel(delay: float | None) -> Any:
    """A timeout() that, once expired, turns also another's cancel() into its own TimeoutError.

    Breaks asyncio-task, timeout(): "Timeout context managers can be safely nested."
    """
    return _TakesEveryCancel(_deadline(delay))
