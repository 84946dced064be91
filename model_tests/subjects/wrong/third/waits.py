"""Wrong gather(), wait(), as_completed(), shield(), sleep() and task groups."""

from __future__ import annotations

import asyncio
import functools
import inspect
import sys
import weakref
from collections.abc import Iterable
from types import TracebackType
from typing import Any


class _Gathered(asyncio.Future[Any]):
    """What gather() returns: its cancel() cancels the children."""

    def __init__(self, children: list[asyncio.Future[Any]], loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop=loop)
        self.children = children
        self.cancel_requested = False

    def cancel(self, msg: Any | None = None) -> bool:
        if self.done():
            return False
        any_cancelled = False
        for child in self.children:
            any_cancelled = child.cancel(msg=msg) or any_cancelled
        self.cancel_requested = self.cancel_requested or any_cancelled
        return any_cancelled


def _gather(
    aws: tuple[Any, ...], return_exceptions: bool, spreads: bool = False, swallows: bool = False
) -> Any:
    """Do what gather() does, but for one of two defects."""
    if not aws:
        return asyncio.gather(return_exceptions=return_exceptions)
    futures: dict[Any, Any] = {}
    loop: asyncio.AbstractEventLoop | None = None
    for aw in aws:
        if aw not in futures:
            futures[aw] = future = asyncio.ensure_future(aw, loop=loop)
            loop = future.get_loop()
            if future is not aw:
                future._log_destroy_pending = False
    assert loop is not None
    outer = _Gathered([futures[aw] for aw in aws], loop)
    left = len(futures)

    def child_done(child: Any) -> None:
        nonlocal left
        left -= 1
        if outer.done():
            if not child.cancelled():
                child.exception()
            return
        if not return_exceptions:
            if child.cancelled():
                if spreads:
                    for other in outer.children:
                        other.cancel()
                outer.set_exception(child._make_cancelled_error())
                return
            if child.exception() is not None:
                outer.set_exception(child.exception())
                return
        if left == 0:
            if outer.cancel_requested and not (swallows and return_exceptions):
                outer.set_exception(child._make_cancelled_error())
            else:
                outer.set_result([outcome(each) for each in outer.children])

    def outcome(child: Any) -> Any:
        if child.cancelled():
            return asyncio.CancelledError("" if child._cancel_message is None else child._cancel_message)
        return child.result() if child.exception() is None else child.exception()

    for future in futures.values():
        if future.done() and sys.version_info >= (3, 12):
            child_done(future)
        else:
            future.add_done_callback(child_done)
    return outer


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_spreads_the_cancellation_of_one_child(
    *coros_or_futures: Any, return_exceptions: bool = False
) -> Any:
    """When one child is cancelled, gather() cancels all the others, as if it had been cancelled itself.

    Breaks "If any Task or Future from the aws sequence is cancelled, it is treated as if it raised CancelledError --
    the gather() call is not cancelled in this case.  This is to prevent the cancellation of one submitted Task/Future
    to cause other Tasks/Futures to be cancelled" (asyncio-task, gather).
    """
    return _gather(coros_or_futures, return_exceptions, spreads=True)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_takes_for_done_what_called_back(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> tuple[set[Any], set[Any]]:
    """A future is in the first set only if its callback has run; one done just before wait() returns is "pending".

    Breaks "Returns two sets of Tasks/Futures: (done, pending)" and "Futures or Tasks that aren't done when the timeout
    occurs are simply returned in the second set" (asyncio-task, wait): the second set has a future that is done.  The
    source sorts them by `f.done()` once it is awake.
    """
    if asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        raise TypeError(f"expect a list of futures, not {type(fs).__name__}")
    if not fs:
        raise ValueError("Set of Tasks/Futures is empty.")
    if return_when not in (asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION, asyncio.ALL_COMPLETED):
        raise ValueError(f"Invalid return_when value: {return_when}")
    pending = set(fs)
    if any(asyncio.iscoroutine(each) for each in pending):
        raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    everything = frozenset(pending)
    done: set[Any] = set()
    loop = asyncio.get_running_loop()
    waiter = loop.create_future()

    def enough() -> None:
        if not waiter.done():
            waiter.set_result(None)

    def called_back(future: Any) -> None:
        pending.discard(future)
        done.add(future)
        failed = not future.cancelled() and future.exception() is not None
        if (
            not pending
            or return_when == asyncio.FIRST_COMPLETED
            or (return_when == asyncio.FIRST_EXCEPTION and failed)
        ):
            enough()

    timer = None if timeout is None else loop.call_later(timeout, enough)
    for each in everything:
        each.add_done_callback(called_back)
    try:
        await waiter
    finally:
        if timer is not None:
            timer.cancel()
        for each in everything:
            each.remove_done_callback(called_back)
    return set(done), set(pending)


class _Earliest:
    """What as_completed() returns, with a timeout for each result."""

    def __init__(self, fs: Iterable[Any], timeout: float | None) -> None:
        self._timeout = timeout
        self._finished: asyncio.Queue[Any] = asyncio.Queue()
        todo = {asyncio.ensure_future(aw) for aw in set(fs)}
        for future in todo:
            future.add_done_callback(self._finished.put_nowait)
        self._left = len(todo)

    def __iter__(self) -> _Earliest:
        return self

    def __aiter__(self) -> _Earliest:
        return self

    def __next__(self) -> Any:
        if not self._left:
            raise StopIteration
        self._left -= 1
        return self._next_result()

    async def __anext__(self) -> Any:
        if not self._left:
            raise StopAsyncIteration
        self._left -= 1
        return await self._next_future()

    async def _next_future(self) -> Any:
        async with asyncio.timeout(self._timeout):
            return await self._finished.get()

    async def _next_result(self) -> Any:
        return (await self._next_future()).result()


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_starts_the_timeout_anew_for_each_result(
    fs: Iterable[Any], *, timeout: float | None = None
) -> Any:
    """The timeout is the time for each next result, not for all of them.

    Breaks "Raises TimeoutError if the timeout occurs before all Futures are done" (asyncio-task, as_completed): in the
    source there is one call_later(timeout) for the iterator.
    """
    if inspect.isawaitable(fs):
        raise TypeError(f"expects an iterable of awaitables, not {type(fs).__name__}")
    return _Earliest(fs, timeout)


_SHIELDS: weakref.WeakKeyDictionary[Any, asyncio.Future[Any]] = weakref.WeakKeyDictionary()


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_gives_all_callers_the_same_future(arg: Any) -> Any:
    """Two shields of one task are one future while both wait, so cancelling one caller cancels the other too.

    Breaks "is equivalent to: res = await something() except that if the coroutine containing it is cancelled, the Task
    running in something() is not cancelled" (asyncio-task, shield): the second caller is not in the coroutine that is
    cancelled.  In the source every call makes its own outer future.
    """
    inner = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    known = _SHIELDS.get(inner)
    if known is not None and not known.done():
        return known
    outer = _SHIELDS[inner] = inner.get_loop().create_future()

    def inner_done(inner: Any) -> None:
        if outer.cancelled():
            if not inner.cancelled():
                inner.exception()
        elif inner.cancelled():
            outer.cancel()
        elif inner.exception() is not None:
            outer.set_exception(inner.exception())
        else:
            outer.set_result(inner.result())

    def outer_done(outer: Any) -> None:
        if not inner.done():
            inner.remove_done_callback(inner_done)

    inner.add_done_callback(inner_done)
    outer.add_done_callback(outer_done)
    return outer


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_does_not_suspend_for_a_negative_delay(delay: float, result: Any = None) -> Any:
    """sleep() with a delay below zero returns at once, and no other task runs.

    Breaks "sleep() always suspends the current task, allowing other tasks to run" (asyncio-task, sleep): a delay that
    was computed, such as `deadline - loop.time()`, may be negative.  The source takes `delay <= 0` for zero.
    """
    if delay < 0:
        return result
    return await asyncio.sleep(delay, result)


class TaskGroupDropsTheErrorOfItsBody(asyncio.TaskGroup):
    """When the body fails and a task fails too, the group that is raised has the errors of the tasks only.

    Breaks "The exception passed into __aexit__(), unless it is asyncio.CancelledError, is also included in the
    exception group" (asyncio-task, Task Groups).
    """

    async def __aexit__(
        self, et: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        try:
            await super().__aexit__(et, exc, tb)
        except BaseExceptionGroup as group:
            of_tasks = [error for error in group.exceptions if error is not exc]
            if not of_tasks or len(of_tasks) == len(group.exceptions):
                raise
            raise BaseExceptionGroup(group.message, of_tasks) from None


class TaskGroupLeavesWhenCancelledAgain(asyncio.TaskGroup):
    """A second cancellation, while the group waits for tasks that clean up after the first, ends the waiting.

    Breaks "All tasks are awaited when the context manager exits" (asyncio-task, Task Groups).  The source,
    TaskGroup.__aexit__: "We use while-loop here because "self._on_completed_fut" can be cancelled multiple times if our
    parent task is being cancelled repeatedly".
    """

    async def __aexit__(
        self, et: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        me: Any = self
        me._exiting = True
        if exc is not None and me._is_base_error(exc) and me._base_error is None:
            me._base_error = exc
        cancellation = exc if isinstance(exc, asyncio.CancelledError) else None
        if exc is not None and not me._aborting:
            me._abort()
        while me._tasks:
            me._on_completed_fut = me._loop.create_future()
            try:
                await me._on_completed_fut
            except asyncio.CancelledError as error:
                if me._aborting and not me._parent_cancel_requested:
                    raise  # the tasks have been told already
                if not me._aborting:
                    cancellation = error
                    me._abort()
            me._on_completed_fut = None
        if me._base_error is not None:
            raise me._base_error
        if me._parent_cancel_requested and me._parent_task.uncancel() == 0:
            cancellation = None
        if cancellation is not None and not me._errors:
            raise cancellation
        if exc is not None and not isinstance(exc, asyncio.CancelledError):
            me._errors.append(exc)
        if me._errors:
            if sys.version_info >= (3, 13) and me._parent_task.cancelling():
                me._parent_task.uncancel()
                me._parent_task.cancel()
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", me._errors) from None
