"""Wrong gather(), wait(), as_completed(), shield(), sleep() and task groups."""

from __future__ import annotations

import asyncio
import functools
import sys
import weakref
from collections.abc import Iterable
from types import TracebackType
from typing import Any

from .._parts import Results, shield


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_spreads_the_cancellation_of_one_child(
    *coros_or_futures: Any, return_exceptions: bool = False
) -> Any:
    """When one child is cancelled, gather() cancels all the others, as if it had been cancelled itself.

    Breaks "If any Task or Future from the aws sequence is cancelled, it is treated as if it raised CancelledError --
    the gather() call is not cancelled in this case.  This is to prevent the cancellation of one submitted Task/Future
    to cause other Tasks/Futures to be cancelled" (asyncio-task, gather).
    """
    children: dict[Any, Any] = {aw: asyncio.ensure_future(aw) for aw in coros_or_futures}

    def spread(child: Any) -> None:
        for other in children.values() if child.cancelled() and not return_exceptions else ():
            other.cancel()

    for child in children.values():
        child.add_done_callback(spread)
    return asyncio.gather(*(children[aw] for aw in coros_or_futures), return_exceptions=return_exceptions)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_takes_for_done_what_called_back(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> tuple[set[Any], set[Any]]:
    """A future is in the first set only if its callback has run; one done just before wait() returns is "pending".

    Breaks "Returns two sets of Tasks/Futures: (done, pending)" and "Futures or Tasks that aren't done when the timeout
    occurs are simply returned in the second set" (asyncio-task, wait): the second set has a future that is done.  The
    source sorts them by `f.done()` once it is awake.
    """
    futures = set() if asyncio.isfuture(fs) or asyncio.iscoroutine(fs) else set(fs)
    called_back: set[Any] = set()
    for each in filter(asyncio.isfuture, futures):
        each.add_done_callback(called_back.add)
    try:
        done, pending = await asyncio.wait(futures or fs, timeout=timeout, return_when=return_when)
    finally:
        for each in filter(asyncio.isfuture, futures):
            each.remove_done_callback(called_back.add)
    return done & called_back, pending | (done - called_back)


class _Earliest(Results):
    def __init__(self, fs: Iterable[Any], timeout: float | None) -> None:
        super().__init__(fs)
        self._timeout = timeout

    async def _next(self) -> Any:
        async with asyncio.timeout(self._timeout):
            return await self._done.get()


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_starts_the_timeout_anew_for_each_result(
    fs: Iterable[Any], *, timeout: float | None = None
) -> Any:
    """The timeout is the time for each next result, not for all of them.

    Breaks "Raises TimeoutError if the timeout occurs before all Futures are done" (asyncio-task, as_completed): in the
    source there is one call_later(timeout) for the iterator.
    """
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
    known = _SHIELDS.get(inner)
    if known is not None and not known.done():
        return known
    outer = _SHIELDS[inner] = shield(inner)
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
