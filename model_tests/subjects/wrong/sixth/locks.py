"""Wrong locks, events, conditions, semaphores and barriers: each takes the place of one of asyncio's."""

from __future__ import annotations

import asyncio
import collections
import itertools
from typing import Any

from .._parts import Barrier, BoundedSemaphore, Condition, Event, Lock, Semaphore, line_of, wait_in_line


class KeepsDeadWaiter(Lock):
    """A lock that leaves the place of a cancelled waiter in the line, where it stops those behind it.

    Breaks asyncio-sync, Lock.acquire(): "This method waits until the lock is unlocked, sets it to locked
    and returns True."
    """

    _waiters: Any
    _locked: Any

    async def acquire(self) -> bool:
        if self._waiters is None:
            self._waiters = collections.deque()
        if not self._locked and all(waiter.cancelled() for waiter in self._waiters):
            self._locked = True
            return True
        waiter = self._get_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if not self._locked:
                self._wake_up_first()
            raise
        self._waiters.remove(waiter)
        self._locked = True
        return True


class ForgetsPulse(Event):
    """An event whose wait() looks at the flag again after its wake-up, so that set() and clear() wake no task.

    Breaks asyncio-sync, Event.set(): "All tasks waiting for event to be set will be immediately awakened."
    """

    async def wait(self) -> bool:
        while not self._value:
            await wait_in_line(self._waiters)
        return True


class TripsOnDoneWaiter(Event):
    """An event with a set() that fails on a waiter that was cancelled a moment ago, and wakes none after it.

    Breaks asyncio-sync, Event.set(): "All tasks waiting for event to be set will be immediately awakened."
    """

    _value: Any

    def set(self) -> None:
        if not self._value:
            self._value = True
            for waiter in self._waiters:
                waiter.set_result(True)


class LeavesUnlocked(Condition):
    """A condition whose wait() ends without the lock when it is cancelled while it takes the lock again.

    Breaks asyncio-sync, Condition.wait(): "Once awakened, the Condition re-acquires its lock and this
    method returns True."
    """

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
            if hasattr(self, "_notify"):
                self._notify(1)
            raise
        return True


class NotifyCountsWoken(Condition):
    """A condition with a notify() that counts tasks that an earlier notify() has woken already.

    Breaks asyncio-sync, Condition.notify(): "Wake up at most n tasks (1 by default) waiting on this
    condition."
    """

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for waiter in itertools.islice(self._waiters, n):
            if not waiter.done():
                waiter.set_result(False)


class LosesPermit(Semaphore):
    """A semaphore that loses a permit when a woken acquire() is cancelled before it runs.

    Breaks asyncio-sync, Semaphore.acquire(): "If it is zero, wait until a release() is called and return
    True."
    """

    _waiters: Any

    async def acquire(self) -> bool:
        if not self.locked():
            self._value -= 1
            return True
        try:
            await wait_in_line(line_of(self))
        finally:
            while self._value > 0 and self._wake_up_next():
                pass
        return True


class WakesNewest(Semaphore):
    """A semaphore with a release() that wakes the task that came last.

    Breaks Lib/test/test_asyncio/test_locks.py, SemaphoreTests.test_acquire_fifo_order: tasks that wait for
    a permit get it in the order in which they came.
    """

    def _wake_up_next(self) -> bool:
        for waiter in reversed(self._waiters or ()):
            if not waiter.done():
                self._value -= 1
                waiter.set_result(True)
                return True
        return False


class BoundOfZeroIsOne(BoundedSemaphore):
    """A bounded semaphore that takes an initial value of 0 as no bound given, and so uses 1.

    Breaks asyncio-sync, BoundedSemaphore: "Bounded Semaphore is a version of Semaphore that raises a
    ValueError in release() if it increases the internal counter above the initial value."
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._bound_value = value or 1


class KeepsCancelledParty(Barrier):
    """A barrier that goes on counting a task that was cancelled while it waited.

    Breaks asyncio-sync, Barrier.wait(): "If the state of the barrier is "filling", the number of waiting
    task decreases by 1."
    """

    async def wait(self) -> int:
        try:
            return int(await super().wait())
        except asyncio.CancelledError:
            self._count += self._state.value == "filling"
            raise
