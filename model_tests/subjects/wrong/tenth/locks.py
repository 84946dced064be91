"""Wrong locks, events, conditions, semaphores and barriers."""

from __future__ import annotations

import asyncio
from typing import Any

from .._parts import BoundedSemaphore, Condition, Event, Lock, Semaphore, line_of, reacquire, wait_in_line


class LetsItsHolderIn(Lock):
    """A lock that the task that holds it can acquire again.

    Breaks "waits until the lock is unlocked, sets it to locked and returns True" (Lock.acquire)."""

    _holder = None

    async def acquire(self) -> bool:
        if self._holder is None or self._holder is not asyncio.current_task():
            await super().acquire()
            self._holder = asyncio.current_task()
        return True

    def release(self) -> None:
        super().release()
        self._holder = None


class WakesLater(Lock):
    """A lock that wakes its first waiter an iteration after the release, and none if that was cancelled meanwhile.

    Breaks "only one coroutine eventually proceeds" (Lock.acquire) and test_locks' test_cancel_race."""

    async def acquire(self: Any) -> bool:
        if self._locked or self._waiters:
            await wait_in_line(line_of(self), lambda woken: woken and self._wake_up_first())
        self._locked = True
        return True

    def _wake_up_first(self) -> Any:
        if self._waiters:
            first = self._waiters[0]
            asyncio.get_running_loop().call_soon(lambda: first.done() or first.set_result(True))


class WaitsTogether(Event):
    """An event whose waiters share one future: a cancel of one of them cancels all.

    Breaks "Otherwise block until another task calls set()" (Event.wait)."""

    _next: Any = None

    def set(self) -> None:
        super().set()
        if self._next is not None and not self._next.done():
            self._next.set_result(True)

    async def wait(self) -> bool:
        if not self._value:
            if self._next is None or self._next.done():
                self._next = asyncio.get_running_loop().create_future()
            await self._next
        return True


class LosesItsPlace(Event):
    """An event that drops its waiters when it is set: one that is cancelled before it runs raises ValueError.

    Breaks "arranges for a CancelledError exception to be thrown into the wrapped coroutine" (Task.cancel)."""

    def set(self) -> None:
        super().set()
        self._waiters.clear()

    async def wait(self) -> bool:
        if not self._value:
            place = asyncio.get_running_loop().create_future()
            self._waiters.append(place)
            try:
                await place
            except asyncio.CancelledError:
                self._waiters.remove(place)
                raise
        return True


class CountsTheWoken(Condition):
    """A condition whose second notify counts the waiter that the first one woke, if that has not run yet.

    Breaks "Wake up n tasks (1 by default) waiting on this condition" (Condition.notify)."""

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for place in list(self._waiters)[:n]:
            if not place.done():
                place.set_result(False)


class LeavesWithoutTheLock(Condition):
    """A condition whose waiter leaves without the lock if it is cancelled while it acquires that again.

    Breaks "Must re-acquire lock even if wait is cancelled" (Condition.wait, its source)."""

    async def wait(self) -> bool:
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self.release()
        try:
            try:
                await wait_in_line(self._waiters)
            finally:
                await self.acquire()
        except BaseException:
            self._notify(1)
            raise
        return True


class KeepsItsNotify(Condition):
    """A condition whose notified waiter keeps the notify if it is cancelled while it acquires the lock again.

    Breaks "Make sure to notify another Task instead" (Condition.wait, its source; CPython issue 112202)."""

    async def wait(self) -> bool:
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self.release()
        try:
            await wait_in_line(self._waiters, lambda woken: woken and self._notify(1))
        finally:
            await reacquire(self)
        return True


class TwoReleasesWakeOne(Semaphore):
    """A semaphore that wakes the first in its line: a second release before that has run wakes none.

    Breaks "Release a semaphore, incrementing the internal counter by one. Can wake up a task" (Semaphore.release)."""

    async def acquire(self) -> bool:
        if self.locked():
            await wait_in_line(line_of(self), lambda woken: woken and self._wake_up_next())
        self._value -= 1
        return True

    def _wake_up_next(self) -> Any:
        if self._waiters and not self._waiters[0].done():
            self._waiters[0].set_result(True)


class RefusesTooLate(BoundedSemaphore):
    """A bounded semaphore that refuses a release when it has counted it: there is one permit more afterwards.

    Breaks "raises ValueError in release() if it would increase the value" (BoundedSemaphore, its docstring)."""

    def release(self) -> None:
        Semaphore.release(self)
        if self._value > self._bound_value:
            raise ValueError("BoundedSemaphore released too many times")


class StaysBroken(asyncio.Barrier):
    """A barrier that stays broken when it is reset after an abort.

    Breaks "Return the barrier to the default, empty state" (Barrier.reset)."""

    async def reset(self) -> None:
        if not self.broken:
            await super().reset()
