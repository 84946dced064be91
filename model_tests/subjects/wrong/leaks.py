"""Wrong classes and functions that keep what they no longer need."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable
from typing import Any

from ._parts import Event, Future, Lock, Queue, Task, TaskGroup
from ._parts import gather as _gather
from ._parts import wait as _wait

_kept: list[Any] = []


class KeepsFinishedTasks(Task):
    """A task that a list of the class keeps alive, done or not.

    Breaks asyncio-task, create_task(): "The event loop only keeps weak references to tasks."
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        super().__init__(coro, **options)
        _kept.append(self)


class KeepsItsCallbacks(Future):
    """A future that keeps its callbacks, and all that they refer to, after they were called.

    Breaks the source, Future.__schedule_callbacks(): "The callbacks are scheduled to be called as soon as possible.
    Also clears the callback list."
    """

    def set_result(self, result: Any) -> None:
        self._called = list(self._callbacks)
        super().set_result(result)


class KeepsWhatItAwaited(Task):
    """A task that keeps each future that it ever waited for until it is done itself.

    Breaks the source, Task.__step(): "self._fut_waiter = None" before each step; a task refers to one future at most.
    """

    def __init__(self, coro: Any, **options: Any) -> None:
        self._awaited: list[Any] = []
        super().__init__(coro, **options)

    def _Task__step(self, exc: Any = None) -> None:
        self._awaited.append(self._fut_waiter)
        super()._Task__step(exc)


class EventKeepsTheCancelled(Event):
    """An event that keeps the future of a cancelled waiter until it is set.

    Breaks the source, Event.wait(): "finally: self._waiters.remove(fut)".
    """

    async def wait(self) -> Any:
        if not self._value:
            waiter = self._get_loop().create_future()
            self._waiters.append(waiter)
            await waiter
        return True

    def set(self) -> None:
        super().set()
        self._waiters.clear()


class QueueKeepsItems(Queue):
    """A queue that keeps the items that were fetched.

    Breaks asyncio-queue, Queue.get(): "Remove and return an item from the queue."
    """

    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._history: list[Any] = []

    def _get(self) -> Any:
        item = super()._get()
        self._history.append(item)
        return item


class QueueKeepsTheCancelled(Queue):
    """A queue that keeps the futures of cancelled getters until the next put().

    Breaks the source, Queue.get(): "Clean self._getters from canceled getters."
    """

    async def get(self) -> Any:
        while self.empty():
            getter = self._get_loop().create_future()
            self._getters.append(getter)
            try:
                await getter
            except BaseException:
                if not getter.cancelled() and not self.empty():
                    self._wakeup_next(self._getters)
                raise
        return self.get_nowait()


class LockKeepsTheCancelled(Lock):
    """A lock that keeps the futures of cancelled waiters until its next release().

    Breaks the source, Lock.acquire(): "finally: self._waiters.remove(fut)".
    """

    async def acquire(self) -> Any:
        graveyard = self.__dict__.setdefault("_cancelled", [])
        waiters = set(self._waiters or ())
        try:
            return await super().acquire()
        except asyncio.CancelledError as error:
            graveyard.append((error, waiters))
            raise

    def release(self) -> None:
        super().release()
        self.__dict__.pop("_cancelled", None)


class GroupKeepsTasks(TaskGroup):
    """A group that keeps its finished tasks, and their results, until it ends.

    Breaks the source, TaskGroup._on_task_done(): "self._tasks.discard(task)"; asyncio-task: a group that stays open, as
    a server's does, must not grow.
    """

    def create_task(self, coro: Any, **options: Any) -> Any:
        task = super().create_task(coro, **options)
        self.__dict__.setdefault("_all", []).append(task)
        return task


@functools.wraps(asyncio.wait, assigned=["__name__"])
async def wait_leaves_its_callbacks(
    fs: Iterable[Any], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> Any:
    """A wait() that leaves a callback at each pending future whenever it returns.

    Breaks the source, wait(): "f.remove_done_callback(_on_completion)" - else each call with a timeout makes a future
    that stays pending longer.
    """
    fs = list(fs)
    done, pending = await _wait(fs, timeout=timeout, return_when=return_when)
    for future in pending:
        future.add_done_callback(functools.partial(_completed, list(done)))
    return done, pending


def _completed(*seen: Any) -> None:
    """Do nothing: the wait() that added this callback has returned."""


@functools.wraps(asyncio.gather, assigned=["__name__"])
def gather_keeps_results(*aws: Any, return_exceptions: bool = False) -> Any:
    """A gather() that keeps its future, and so all results, in a list of the module.

    Breaks asyncio-task, gather(): the results belong to the caller; asyncio keeps no strong reference to a future that
    is done.
    """
    outer = _gather(*aws, return_exceptions=return_exceptions)
    _kept.append(outer)
    return outer
