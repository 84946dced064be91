"""Wrong asyncio.Lock, Semaphore and BoundedSemaphore: turns lost to a cancel, fairness, ownership, counters."""

from __future__ import annotations

import asyncio
import collections
from typing import Any

_Lock: Any = asyncio.Lock  # Any: the subjects use its private parts
_Semaphore: Any = asyncio.Semaphore
_BoundedSemaphore: Any = asyncio.BoundedSemaphore


async def _wait_in_line(lock: Any) -> None:
    if lock._waiters is None:
        lock._waiters = collections.deque()
    waiter = lock._get_loop().create_future()
    lock._waiters.append(waiter)
    try:
        await waiter
    finally:
        lock._waiters.remove(waiter)


def _has_waiters(lock: Any) -> bool:
    return any(not waiter.cancelled() for waiter in lock._waiters or ())


class LockThatLosesACancelledTurn(_Lock):
    """An acquire() cancelled just after release() woke it does not wake the next one, which waits at an open lock.

    Breaks "If any other tasks are blocked waiting for the lock to become unlocked, allow exactly one of them to
    proceed." (locks.py, Lock.release()) and, in Lock.acquire(), "If lock is not claimed (or about to be claimed by us)
    and there is a Task in waiters, ensure that the Task at the head will run."
    """

    async def acquire(self) -> bool:
        if self._locked or _has_waiters(self):  # type: ignore[has-type]
            await _wait_in_line(self)
        self._locked = True
        return True


class LockThatLetsNewcomersPass(_Lock):
    """acquire() takes an open lock though others wait for it; the one that release() woke goes to the line's end.

    Breaks "Acquiring a lock is fair: the coroutine that proceeds will be the first coroutine that started waiting on
    the lock." (asyncio-sync.html, Lock.acquire())
    """

    async def acquire(self) -> bool:
        try:
            while self._locked:  # type: ignore[has-type]
                await _wait_in_line(self)
        except asyncio.CancelledError:
            if not self._locked:  # type: ignore[has-type]
                self._wake_up_first()
            raise
        self._locked = True
        return True


class LockWithAnOwner(_Lock):
    """release() is refused to any task but the one that acquired the lock, as in threading.RLock.

    Breaks "A primitive lock is a synchronization primitive that is not owned by a particular task when locked."
    (locks.py, Lock); "When the lock is locked, reset it to unlocked and return." (asyncio-sync.html, Lock.release())
    """

    _owner: Any = None

    async def acquire(self) -> bool:
        await super().acquire()
        self._owner = asyncio.current_task()
        return True

    def release(self) -> None:
        if self._owner is not asyncio.current_task():
            raise RuntimeError("Lock is not acquired by this task.")
        self._owner = None
        super().release()


class SemaphoreThatLosesACancelledTurn(_Semaphore):
    """An acquire() cancelled just after release() woke it keeps the count that it was given, for ever.

    Breaks "A semaphore manages an internal counter which is decremented by each acquire() call and incremented by
    each release() call." (asyncio-sync.html, Semaphore), as that acquire() came to nothing; locks.py,
    Semaphore.acquire(): "we are not about to successfully acquire(). Therefore we must undo the bookkeeping already
    done".
    """

    async def acquire(self) -> bool:
        if not self.locked():
            self._value -= 1
            return True
        try:
            await _wait_in_line(self)  # release() has counted down for us
        finally:
            while self._value > 0 and self._has_next():
                self._wake_up_next()
        return True

    def _has_next(self) -> bool:
        return any(not waiter.done() for waiter in self._waiters)


class SemaphoreThatCountsAfterTheWait(_Semaphore):
    """A woken acquire() counts down only when it runs: if another came before, both are in, and the counter is -1.

    Breaks "The counter can never go below zero; when acquire() finds that it is zero, it blocks, waiting until some
    task calls release()." (asyncio-sync.html, Semaphore)
    """

    async def acquire(self) -> bool:
        if self._value <= 0:
            try:
                await _wait_in_line(self)
            except asyncio.CancelledError:
                if self._value > 0:
                    self._wake_up_next()
                raise
        self._value -= 1
        return True

    def release(self) -> None:
        self._value += 1
        self._wake_up_next()

    def _wake_up_next(self) -> bool:
        for waiter in self._waiters or ():
            if not waiter.done():
                waiter.set_result(True)
                return True
        return False


class BoundedSemaphoreThatCountsWhatItRefuses(_BoundedSemaphore):
    """A release() too many raises ValueError, but only after it has counted, so one more can acquire.

    Breaks "Bounded Semaphore is a version of Semaphore that raises a ValueError in release() if it increases the
    internal counter above the initial value." (asyncio-sync.html, BoundedSemaphore); locks.py raises before it counts.
    """

    def release(self) -> None:
        asyncio.Semaphore.release(self)
        if self._value > self._bound_value:
            raise ValueError("BoundedSemaphore released too many times")
