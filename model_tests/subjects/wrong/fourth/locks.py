"""Wrong asyncio.Lock, Event, Condition, Semaphore, BoundedSemaphore and Barrier."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from .._parts import (
    Barrier,
    BoundedSemaphore,
    Condition,
    Event,
    Lock,
    Semaphore,
    line_of,
    reacquire,
    wait_in_line,
)

_State: Any = asyncio.locks._BarrierState


class LockThatServesTheLatestFirst(Lock):
    """release() wakes the task that began to wait last.

    Breaks "Acquiring a lock is fair: the coroutine that proceeds will be the first coroutine that started waiting on
    the lock." (asyncio-sync.html, Lock.acquire())
    """

    def _wake_up_first(self) -> None:
        waiters = self._waiters or ()
        if any(waiter.done() and not waiter.cancelled() for waiter in waiters):
            return  # that one takes the lock
        for waiter in reversed(waiters):
            if not waiter.done():
                waiter.set_result(True)
                return


class EventThatReturnsItsFlag(Event):
    """wait() returns the flag as it is when the task runs again: False if clear() followed set() at once.

    Breaks "Otherwise, block until another task calls set() to set the flag to true, then return True." (locks.py,
    Event.wait(); asyncio-sync.html: "block until another task calls set()")
    """

    async def wait(self) -> Any:
        await super().wait()
        return self.is_set()


class EventThatForgetsWaitersAtClear(Event):
    """clear() begins a new list of waiters, so those that wait already are not woken by the next set().

    Breaks "All tasks waiting for event to be set will be immediately awakened." (asyncio-sync.html, Event.set())
    """

    def clear(self) -> None:
        super().clear()
        self._waiters = deque()  # type: ignore[var-annotated]

    async def wait(self) -> Any:
        if not self.is_set():
            await wait_in_line(self._waiters)
        return True


class ConditionThatAsksBeforeItHasTheLock(Condition):
    """wait_for() asks the predicate when it is notified, before it has the lock again, and not afterwards.

    Breaks "Wait until a predicate becomes true." (asyncio-sync.html, Condition.wait_for()); locks.py: "The method will
    repeatedly wait() until it evaluates to true", and wait() "re-acquires the lock".
    """

    async def wait_for(self, predicate: Callable[[], Any]) -> Any:
        if result := predicate():
            return result
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self.release()
        try:
            while not result:
                await wait_in_line(self._waiters)
                result = predicate()
            return result
        finally:
            await reacquire(self)


class SemaphoreThatAdmitsOneTooMany(Semaphore):
    """A woken acquire() takes its permit without another look, though a newcomer may have taken it meanwhile.

    Breaks "The counter can never go below zero; when acquire() finds that it is zero, it blocks, waiting until some
    task calls release()." (asyncio-sync.html, Semaphore)
    """

    async def acquire(self) -> Any:
        if self._value <= 0:
            await wait_in_line(line_of(self), lambda woken: woken and self._wake_up_next())
        self._value -= 1
        return True

    def _wake_up_next(self) -> bool:
        for waiter in self._waiters or ():
            if not waiter.done():
                waiter.set_result(True)
                return True
        return False


class SemaphoreThatAnErrorKeeps(Semaphore):
    """`async with` gives the permit back only if its block ends without an error.

    Breaks "The preferred way to use a Semaphore is an async with statement. ... which is equivalent to:" try, finally,
    "sem.release()" (asyncio-sync.html, Semaphore)
    """

    async def __aexit__(self, exc_type: Any, exc: Any, tb: Any) -> None:
        if exc_type is None:
            self.release()


class BoundedSemaphoreThatAllowsOneMore(BoundedSemaphore):
    """release() refuses only when the counter is above the initial value already.

    Breaks "Bounded Semaphore is a version of Semaphore that raises a ValueError in release() if it increases the
    internal counter above the initial value." (asyncio-sync.html, BoundedSemaphore)
    """

    def release(self) -> None:
        if self._value > self._bound_value:
            raise ValueError("BoundedSemaphore released too many times")
        Semaphore.release(self)


class BarrierThatFillsAgainAfterAnAbort(Barrier):
    """When the last of the tasks that abort() interrupted has left, the barrier is as new; it is not broken.

    Breaks "Put the barrier into a broken state. This causes any active or future calls to wait() to fail with the
    BrokenBarrierError." (asyncio-sync.html, Barrier.abort())
    """

    def _exit(self) -> None:
        if self._count == 0:
            self._state = _State.FILLING
            self._cond.notify_all()
