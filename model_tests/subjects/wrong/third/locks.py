"""Wrong locks, semaphores, events, conditions and barriers."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from .._parts import line_of, wait_in_line


class LockLosesAReleaseToACancelledWaiter(asyncio.Lock):
    """A waiter that is cancelled hands the lock on only if it had been woken; one cancelled just before does not.

    Breaks "When more than one coroutine is blocked in acquire() waiting for the lock to be unlocked, only one
    coroutine eventually proceeds" (asyncio-sync, Lock.acquire): the first waiter is cancelled and the lock is released
    before that waiter has run, so release() finds it at the head and wakes no waiter, and no coroutine ever proceeds.
    The source sees to it in Lock.acquire: "Ensure the lock invariant: If lock is not claimed (or about to be claimed
    by us) and there is a Task in waiters, ensure that the Task at the head will run."
    """

    async def acquire(self) -> Literal[True]:
        me: Any = self
        if not me._locked and all(waiter.cancelled() for waiter in me._waiters or ()):
            me._locked = True
            return True
        await wait_in_line(line_of(me), lambda woken: woken and not me._locked and me._wake_up_first())
        me._locked = True
        return True


class SemaphoreStrandsTheSlotOfACancelledWaiter(asyncio.Semaphore):
    """A waiter that is woken and then cancelled gives its slot back to the counter, but wakes no waiter for it.

    Breaks "If it is zero, wait until a release() is called and return True" (asyncio-sync, Semaphore.acquire): there
    was a release(), the counter is 1, and the next waiter still waits.  The source: "we are not about to successfully
    acquire(). Therefore we must undo the bookkeeping already done and attempt to wake up someone else."
    """

    async def acquire(self) -> Literal[True]:
        me: Any = self
        if not self.locked():
            me._value -= 1
            return True
        await wait_in_line(line_of(me), self._left)
        if me._value > 0:
            me._wake_up_next()
        return True

    def _left(self, woken: bool) -> None:
        self._value += woken
