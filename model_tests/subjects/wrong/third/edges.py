"""Wrong functions and classes for arguments at the edge: 0, None, infinity, nothing, duplicates, wrong types."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import math
from typing import Any

from .._parts import Queue, Task, TaskGroup


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_of_nothing_fails(fs: Any, *, timeout: float | None = None) -> Any:
    """An empty collection raises ValueError, as it does with wait(), and not an empty iteration.

    Breaks tasks.py, as_completed(), which has no such check: `for _ in range(len(todo))`, `if not self._todo_left`;
    "Run awaitable objects in the aws iterable concurrently." (asyncio-task.html, as_completed())
    """
    if not asyncio.isfuture(fs) and not asyncio.iscoroutine(fs):
        fs = list(fs)
        if not fs:
            raise ValueError("Set of Tasks/Futures is empty.")
    return asyncio.as_completed(fs, timeout=timeout)


@functools.wraps(asyncio.as_completed, assigned=["__name__"])
def as_completed_takes_a_timeout_of_zero_for_none(fs: Any, *, timeout: float | None = None) -> Any:
    """With timeout=0 there is no timeout, so what does not end is waited for without end.

    Breaks "A TimeoutError is raised if the timeout occurs before all awaitables are done." (asyncio-task.html,
    as_completed()); tasks.py asks `if todo and timeout is not None`.
    """
    return asyncio.as_completed(fs, timeout=timeout or None)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_takes_one_future(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A single future is taken for a collection of one, and does not raise TypeError.

    Breaks tasks.py, wait(): "expect a list of futures, not ..."; "Run Future and Task instances in the aws iterable
    concurrently" (asyncio-task.html, wait())
    """
    if asyncio.isfuture(fs):
        fs = [fs]
    return await asyncio.wait(fs, timeout=timeout, return_when=return_when)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_exhausts_an_iterator(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """The look for coroutines goes through the iterable itself, so that an iterator is empty after it.

    Breaks "Run Future and Task instances in the aws iterable concurrently" (asyncio-task.html, wait()); tasks.py makes
    a set of the iterable before it looks, in 3.11 too; from 3.12 on the iterable may even be a generator.
    """
    if not asyncio.isfuture(fs) and any(asyncio.iscoroutine(f) for f in fs):
        raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    return await asyncio.wait(fs, timeout=timeout, return_when=return_when)


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_counts_duplicates(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A future that is given twice counts twice but is done once, so that the count never reaches zero.

    Breaks "ALL_COMPLETED: The function will return when all futures finish or are cancelled." (asyncio-task.html,
    wait()); tasks.py: `fs = set(fs)` comes before `counter = len(fs)`.
    """
    fs = fs if asyncio.isfuture(fs) or asyncio.iscoroutine(fs) else list(fs)
    if return_when != asyncio.ALL_COMPLETED or not isinstance(fs, list) or len(set(fs)) == len(fs):
        return await asyncio.wait(fs, timeout=timeout, return_when=return_when)
    never = asyncio.get_running_loop().create_future()  # the count of duplicates
    done, pending = await asyncio.wait({*fs, never}, timeout=timeout)
    return done, pending - {never}


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_runs_a_duplicate_coroutine_twice(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
    """A coroutine that is given twice gets two tasks, the second of which fails; a duplicate future is right.

    Breaks tasks.py, gather(): "There's a duplicate Future object in coros_or_futures.", which comes from a dict of
    all arguments, coroutines too: "If all awaitables are completed successfully, the result is an aggregate list of
    returned values." (asyncio-task.html, gather())
    """
    children = [asyncio.ensure_future(aw) for aw in coros_or_futures]
    return asyncio.gather(*children, return_exceptions=return_exceptions)


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_raises_at_the_call(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
    """If a future has failed before the call, gather() itself raises the error, not the future that it returns.

    Breaks "the first raised exception is immediately propagated to the task that awaits on gather()"
    (asyncio-task.html, gather()); tasks.py: "Return a future aggregating results".
    """
    if not return_exceptions:
        for aw in coros_or_futures:
            if asyncio.isfuture(aw) and aw.done():
                aw.result()
    return asyncio.gather(*coros_or_futures, return_exceptions=return_exceptions)


@functools.wraps(asyncio.sleep, assigned=["__name__"])
async def sleep_for_ever_fails(delay: float, result: Any = None) -> Any:
    """The delay is rounded up to whole milliseconds, as select.epoll() does it, and infinity has no such number.

    Breaks "Block for delay seconds." (asyncio-task.html, sleep()), where tasks.py refuses nothing but NaN.
    """
    if delay > 0:
        delay = math.ceil(delay * 1000) / 1000
    return await asyncio.sleep(delay, result)


@functools.wraps(asyncio.ensure_future, assigned=["__name__"])
def ensure_future_takes_any_value(coro_or_future: Any, *, loop: Any = None) -> Any:
    """What cannot be awaited becomes the result of a done future, so that the TypeError is lost.

    Breaks "If obj is neither of the above a TypeError is raised." (asyncio-future.html, ensure_future())
    """
    try:
        return asyncio.ensure_future(coro_or_future, loop=loop)
    except TypeError:
        future = (loop or asyncio.get_running_loop()).create_future()
        future.set_result(coro_or_future)
        return future


@functools.wraps(asyncio.ensure_future, assigned=["__name__"])
def ensure_future_takes_a_future_of_another_loop(coro_or_future: Any, *, loop: Any = None) -> Any:
    """A future is returned as it is, though the loop that is asked for is not its own.

    Breaks tasks.py, ensure_future(): "The future belongs to a different loop than the one specified as the loop
    argument", a ValueError.
    """
    if asyncio.isfuture(coro_or_future):
        return coro_or_future
    return asyncio.ensure_future(coro_or_future, loop=loop)


@functools.wraps(asyncio.run_coroutine_threadsafe, assigned=["__name__"])
def run_coroutine_threadsafe_takes_futures(coro: Any, loop: Any) -> Any:
    """A future of the loop is taken like a coroutine, although its state belongs to the loop's thread.

    Breaks tasks.py, run_coroutine_threadsafe(): `raise TypeError('A coroutine object is required')`; "Submit a
    coroutine to the given event loop." (asyncio-task.html)
    """
    if not asyncio.isfuture(coro):
        return asyncio.run_coroutine_threadsafe(coro, loop)
    result: Any = concurrent.futures.Future()
    loop.call_soon_threadsafe(asyncio.futures._chain_future, coro, result)  # type: ignore[attr-defined]
    return result


class QueueThatTakesNoneForNoItem(Queue):
    """get() takes an item None for a wake-up without an item: it drops it and waits for the next one.

    Breaks "Remove and return an item from the queue. If queue is empty, wait until an item is available."
    (asyncio-queue.html, get()); None is an item like any other.
    """

    async def get(self) -> Any:
        item = None
        while item is None:
            item = await super().get()
        return item


class ConditionThatTakesZeroForOne(asyncio.Condition):
    """notify(0) wakes one waiter, since 0 is taken for no number.

    Breaks "Wake up n tasks (1 by default) waiting on this condition." (asyncio-sync.html, Condition.notify())
    """

    def notify(self, n: int | None = None) -> None:
        super().notify(n or 1)


class TaskThatReplacesAnEmptyName(Task):
    """A name that counts as false, such as "" or 0, is replaced with one of the form Task-N.

    Breaks tasks.py, Task.__init__(): `if name is None`, and otherwise `str(name)`; "The value argument can be any
    object, which is then converted to a string." (asyncio-task.html, Task.set_name())
    """

    def __init__(self, coro: Any, *, name: Any = None, **options: Any) -> None:
        super().__init__(coro, name=name or None, **options)


class TaskGroupThatIsEnteredTwice(TaskGroup):
    """A group that has finished can be entered again, with all that it knew of its first tasks lost.

    Breaks taskgroups.py, __aenter__(): RuntimeError "TaskGroup ... has already been entered".
    """

    async def __aenter__(self) -> Any:
        if self._exiting and not self._tasks:
            super().__init__()
        return await super().__aenter__()
