"""Wrong futures, tasks, groups, locks, queues and waits that keep references after they are no longer needed."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from .._parts import Event, Future, Queue, Task, shield


class _Removable:
    def __init__(self, function: Any) -> None:
        self.function = function
        self.removed = False

    def __call__(self, future: Any) -> None:
        if not self.removed:
            self.function(future)


class FutureThatOnlyMarksRemovedCallbacks(Future):
    """remove_done_callback() marks the callback as removed, but it stays in the list until the future is done.

    Breaks "Remove callback from the callbacks list." (asyncio-future.html, Future.remove_done_callback())
    """

    def add_done_callback(self, fn: Any, *, context: Any = None) -> None:
        super().add_done_callback(_Removable(fn), context=context)

    def remove_done_callback(self, fn: Any) -> int:
        removable = [entry for entry, _ in self._callbacks if not entry.removed and entry.function == fn]
        for entry in removable:
            entry.removed = True
        return len(removable)


class TaskThatKeepsItsCancelledError(Task):
    """A cancelled task keeps the CancelledError of its coroutine, with all frames, after it was handed on.

    Breaks futures.py, _make_cancelled_error(): "it erases the saved context exception value", that is the line
    `self._cancelled_exc = None`; a finished task needs nothing of the local variables of its coroutine.
    """

    def _make_cancelled_error(self) -> Any:
        error = super()._make_cancelled_error()
        self._cancelled_exc = error  # the next result() raises the same
        return error


class TaskGroupThatKeepsItsErrors(asyncio.TaskGroup):
    """A group that failed keeps the exception group that it raised, as long as the group itself is referred to.

    Breaks taskgroups.py, __aexit__(): "Exceptions are heavy objects that can have object cycles (bad for GC); let's
    not keep a reference to a bunch of them."
    """

    _failure: BaseException | None = None

    async def __aexit__(self, *details: Any) -> Any:
        try:
            return await super().__aexit__(*details)
        except BaseExceptionGroup as error:
            self._failure = error
            raise


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_leaves_its_timer_when_it_is_cancelled(
    fs: Any, *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """The timer is cancelled when the futures are done, but not if the wait is: it keeps them until its time.

    Breaks tasks.py, _wait(): the `timeout_handle.cancel()` that is in the `finally`; nothing waits for the futures any
    more, so the loop must not hold them for the rest of the timeout.
    """
    if timeout is None or not fs or asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        return await asyncio.wait(fs, return_when=return_when)
    futures = set(fs)
    timer = asyncio.get_running_loop().call_later(timeout, len, futures)
    done, pending = await asyncio.wait(futures, timeout=timeout, return_when=return_when)
    timer.cancel()
    return done, pending


@functools.wraps(asyncio.wait_for, assigned=["__name__"])
async def wait_for_leaves_its_timer_after_an_error(fut: Any, timeout: float | None) -> Any:
    """If the awaitable raises, the timer is not cancelled, and holds it and its error until the timeout is over.

    Breaks tasks.py, wait_for(): `finally: timeout_handle.cancel()` (3.11), or the exit of `timeouts.timeout(timeout)`;
    "Wait for the aw awaitable to complete with a timeout." (asyncio-task.html, wait_for()): with its end all is over.
    """
    if timeout is None or timeout <= 0:
        return await asyncio.wait_for(fut, timeout)
    task = asyncio.ensure_future(fut)
    timer = asyncio.get_running_loop().call_later(timeout, task.done)
    try:
        result = await asyncio.wait_for(task, timeout)
    except (asyncio.CancelledError, TimeoutError):
        timer.cancel()
        raise
    timer.cancel()
    return result


_children: set[Any] = set()


def _forget(child: Any) -> None:
    if not child.cancelled() and child.exception() is None:
        _children.discard(child)


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_keeps_the_children_that_fail(*coros_or_futures: Any, return_exceptions: bool = False) -> Any:
    """A set of the module holds the children while they run; one that fails or is cancelled is never taken out.

    Breaks "The event loop only keeps weak references to tasks. A task that isn't referenced elsewhere may get garbage
    collected at any time" (asyncio-task.html, create_task()): a set that holds tasks must let go of each that is done,
    there by `task.add_done_callback(background_tasks.discard)`.
    """
    known: dict[Any, Any] = {aw: asyncio.ensure_future(aw) for aw in coros_or_futures}
    for child in known.values():
        _children.add(child)
        child.add_done_callback(_forget)
    return asyncio.gather(*(known[aw] for aw in coros_or_futures), return_exceptions=return_exceptions)


@functools.wraps(asyncio.shield, assigned=["__name__"])
def shield_leaves_its_callback(arg: Any) -> Any:
    """A cancelled shield stays in a callback of what it shields, so a long task collects one for each caller.

    Breaks tasks.py, shield(), _outer_done_callback(): "if not inner.done():
    inner.remove_done_callback(_inner_done_callback)".
    """
    return shield(arg, tidy=False)


class QueueThatKeepsTheItemOfACancelledPut(Queue):
    """The item of a put() that waits is noted, for the order; if that put() is cancelled, the note remains.

    Breaks queues.py, put(): "Clean self._putters from canceled putters." What was never put is not the queue's:
    "If the queue is full, wait until a free slot is available before adding the item." (asyncio-queue.html, put())
    """

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._to_come: list[Any] = []

    async def put(self, item: Any) -> None:
        if not self.full():
            self.put_nowait(item)
            return
        self._to_come.append(item)
        await super().put(item)
        self._to_come.remove(item)


class ConditionThatKeepsPredicates(asyncio.Condition):
    """wait_for() notes its predicate and takes it out only when it has become true, not when the wait is cancelled.

    Breaks locks.py, wait(): `finally: self._waiters.remove(fut)`: a wait that is over, in whatever way, leaves nothing
    at the condition; "Wait until a predicate becomes true." (asyncio-sync.html, Condition.wait_for())
    """

    def __init__(self, lock: Any = None) -> None:
        super().__init__(lock)
        self._predicates: list[Any] = []

    async def wait_for(self, predicate: Any) -> Any:
        self._predicates.append(predicate)
        while not (result := predicate()):
            await self.wait()
        self._predicates.remove(predicate)
        return result


class EventThatKeepsTheTaskThatSetIt(Event):
    """The event keeps the task that called set(), with its result, for as long as the event is there.

    Breaks locks.py, Event.set(), which stores no more than the flag: "An asyncio event can be used to notify multiple
    asyncio tasks that some event has happened." (asyncio-sync.html, Event)
    """

    _by: Any = None

    def set(self) -> None:
        if not self._value:
            self._by = asyncio.current_task()
        super().set()


class LockThatKeepsItsLastOwner(asyncio.Lock):
    """The lock knows its owner, for its repr, and still refers to it when that task has released it and is done.

    Breaks locks.py, release(): "When the lock is locked, reset it to unlocked, and return." Nothing of the owner
    is left; also "A task that isn't referenced elsewhere may get garbage collected" (asyncio-task.html, create_task())
    """

    _owner: Any = None

    async def acquire(self) -> Any:
        await super().acquire()
        self._owner = asyncio.current_task()
        return True
