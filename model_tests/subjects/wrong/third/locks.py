"""Wrong locks, semaphores, events, conditions and barriers."""

from __future__ import annotations

import asyncio
import collections
from typing import Any, Literal


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
        if me._waiters is None:
            me._waiters = collections.deque()
        turn = me._get_loop().create_future()
        me._waiters.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            me._waiters.remove(turn)
            was_woken = turn.done() and not turn.cancelled()
            if was_woken and not me._locked:
                me._wake_up_first()
            raise
        me._waiters.remove(turn)
        me._locked = True
        return True


class LockLetsALateComerInBesideTheWokenWaiter(asyncio.Lock):
    """acquire() takes a free lock when every waiter is done, though a done waiter may have been woken to take it.

    Breaks "Acquiring a lock is fair: the coroutine that proceeds will be the first coroutine that started waiting on
    the lock" and "An asyncio lock can be used to guarantee exclusive access to a shared resource" (asyncio-sync, Lock).
    The source asks for `w.cancelled()`.
    """

    async def acquire(self) -> Literal[True]:
        me: Any = self
        if not me._locked and all(waiter.done() for waiter in me._waiters or ()):
            me._locked = True
            return True
        if me._waiters is None:
            me._waiters = collections.deque()
        turn = me._get_loop().create_future()
        me._waiters.append(turn)
        try:
            try:
                await turn
            finally:
                me._waiters.remove(turn)
        except asyncio.CancelledError:
            if not me._locked:
                me._wake_up_first()
            raise
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
        if me._waiters is None:
            me._waiters = collections.deque()
        turn = me._get_loop().create_future()
        me._waiters.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                me._value += 1
            raise
        finally:
            me._waiters.remove(turn)
        if me._value > 0:
            me._wake_up_next()
        return True
