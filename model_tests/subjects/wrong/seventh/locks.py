"""Wrong implementations of asyncio's locks, events, conditions, semaphores and barriers."""

import asyncio
from collections import deque
from typing import Any

# The private names of these classes are Any to the type checker.
_Lock: Any = asyncio.Lock
_Event: Any = asyncio.Event
_Semaphore: Any = asyncio.Semaphore
_Barrier: Any = asyncio.Barrier


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


class BarrierAbortNeedsWaiter(_Barrier):
    """A barrier that an abort does not break if no task is in it.

    Breaks "This causes any active or future calls to wait() to fail with the BrokenBarrierError."
    """

    async def abort(self) -> None:
        if self._count:
            await super().abort()
