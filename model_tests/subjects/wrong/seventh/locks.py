"""Wrong implementations of asyncio's locks, events, conditions, semaphores and barriers."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

# The private names of these classes are Any to the type checker.
_Lock: Any = asyncio.Lock
_Event: Any = asyncio.Event
_Condition: Any = asyncio.Condition
_Semaphore: Any = asyncio.Semaphore
_BoundedSemaphore: Any = asyncio.BoundedSemaphore
_Barrier: Any = asyncio.Barrier


class LockForgetsCancelledWaiter(_Lock):
    """A lock in which a waiter that is cancelled after a release does not wake the next one.

    Breaks "If any other tasks are blocked waiting [...], allow exactly one of them to proceed."
    """

    _locked: Any
    _waiters: Any

    async def acquire(self) -> bool:
        if not self._locked and all(w.cancelled() for w in self._waiters or ()):
            self._locked = True
            return True
        if self._waiters is None:
            self._waiters = deque()
        waiter = self._get_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        finally:
            self._waiters.remove(waiter)
        self._locked = True
        return True


class LockAdmitsNewcomerBesideWaiter(_Lock):
    """A lock that a newcomer takes while a waiter is woken, which then takes it as well.

    Breaks "can be used to guarantee exclusive access to a shared resource".
    """

    _locked: Any

    async def acquire(self) -> Any:
        if not self._locked:
            self._locked = True
            return True
        return await super().acquire()


class EventWaitChecksFlagAgain(_Event):
    """An event whose waiter waits again if the event was cleared before the waiter ran.

    Breaks "All tasks waiting for event to be set will be immediately awakened."
    """

    async def wait(self) -> bool:
        while not self._value:
            await super().wait()
        return True


class EventSetStopsAtCancelledWaiter(_Event):
    """An event that wakes no waiter behind one that was cancelled and has yet to run.

    Breaks "All tasks waiting for event to be set will be immediately awakened."
    """

    _value: Any

    def set(self) -> None:
        if not self._value:
            self._value = True
            for waiter in self._waiters:
                if waiter.cancelled():
                    break
                if not waiter.done():
                    waiter.set_result(True)


class ConditionWaitEndsWithoutLock(_Condition):
    """A condition whose wait ends without the lock, if it is cancelled while it acquires the lock again.

    Breaks "Once awakened, the Condition re-acquires its lock".
    """

    async def wait(self) -> bool:
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = self._get_loop().create_future()
        self.release()
        try:
            self._waiters.append(waiter)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
                await self.acquire()
        except BaseException:
            for other in self._waiters:
                if not other.done():
                    other.set_result(False)
                    break
            raise
        return True


class ConditionNotifyCountsWokenWaiters(_Condition):
    """A condition whose notify counts waiters that were already notified and have yet to run.

    Breaks "Wake up n tasks (1 by default) waiting on this condition."
    """

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for waiter in list(self._waiters)[:n]:
            if not waiter.done():
                waiter.set_result(False)


class ConditionWaitForWaitsFirst(_Condition):
    """A condition whose wait_for waits for a notify before it asks the predicate.

    Breaks "Wait until a predicate becomes true."
    """

    async def wait_for(self, predicate: Callable[[], Any]) -> Any:
        while True:
            await self.wait()
            if result := predicate():
                return result


class SemaphoreLosesPermitOfCancelledWaiter(_Semaphore):
    """A semaphore in which a waiter that is cancelled after it was woken keeps its permit.

    Breaks "an internal counter which is decremented by each acquire() call and incremented by each release() call".
    """

    _value: Any
    _waiters: Any

    async def acquire(self) -> bool:
        if not self.locked():
            self._value -= 1
            return True
        if self._waiters is None:
            self._waiters = deque()
        waiter = self._get_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        finally:
            self._waiters.remove(waiter)
            while self._value > 0 and self._wake_up_next():
                pass
        return True


class SemaphoreLetsNewcomerOvertake(_Semaphore):
    """A semaphore that a newcomer acquires at once, though a waiter that was woken has yet to run.

    Breaks "Maintain FIFO, wait for others to start even if _value > 0" of the source.
    """

    _value: Any

    async def acquire(self) -> Any:
        if self._value > 0:
            self._value -= 1
            return True
        return await super().acquire()


class BoundedSemaphoreKeepsRefusedPermit(_BoundedSemaphore):
    """A bounded semaphore that raises ValueError for a release too many, and counts it all the same.

    Breaks "raises a ValueError in release() if it increases the internal counter above the initial value".
    """

    def release(self) -> None:
        asyncio.Semaphore.release(self)
        if self._value > self._bound_value:
            raise ValueError("BoundedSemaphore released too many times")


class BarrierCountsCancelledWaiter(_Barrier):
    """A barrier that still counts a waiter that was cancelled.

    Breaks "allows to block until parties number of tasks are waiting on it".
    """

    async def wait(self) -> Any:
        async with self._cond:
            await self._block()
            index = self._count
            self._count += 1
            try:
                if index + 1 == self._parties:
                    await self._release()
                else:
                    await self._wait()
            except asyncio.BrokenBarrierError:
                self._count -= 1
                self._exit()
                raise
            self._count -= 1
            self._exit()
            return index


class BarrierAbortNeedsWaiter(_Barrier):
    """A barrier that an abort does not break if no task is in it.

    Breaks "This causes any active or future calls to wait() to fail with the BrokenBarrierError."
    """

    async def abort(self) -> None:
        if self._count:
            await super().abort()
