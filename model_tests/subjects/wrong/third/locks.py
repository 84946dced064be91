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


class EventStumblesOverACancelledWaiter(asyncio.Event):
    """set() fails with InvalidStateError at a waiter that was cancelled just now, and wakes none behind it.

    Breaks "All tasks waiting for event to be set will be immediately awakened" (asyncio-sync, Event.set): a task that
    is cancelled leaves the list of waiters only when it runs, which is why the source says `if not fut.done()`.
    """

    def set(self) -> None:
        me: Any = self
        if not me._value:
            me._value = True
            for waiter in me._waiters:
                waiter.set_result(True)


class ConditionNotifiesTheSameWaiterAgain(asyncio.Condition):
    """notify(n) looks at the first n in the list of waiters, where those notified a moment ago still are.

    Breaks "Wake up at most n tasks (1 by default) waiting on this condition.  The method is no-op if no tasks are
    waiting" (asyncio-sync, Condition.notify): a second notify() under the same lock finds the first waiter, which
    waits no longer, and the second waiter is not woken.  The source counts only waiters that are not done.
    """

    def notify(self, n: int = 1) -> None:
        me: Any = self
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for waiter in list(me._waiters)[:n]:
            if not waiter.done():
                waiter.set_result(False)


class BarrierLetsAFastTaskRoundAgain(asyncio.Barrier):
    """wait() does not hold back a task that comes again while the others are still leaving the barrier.

    Breaks "The barrier can be reused any number of times" and "Tasks can wait on the wait() method and would be
    blocked until the specified number of tasks end up waiting on wait()" (asyncio-sync, Barrier): the fast task is
    counted together with those that leave, and passes a second time alone.  The source, Barrier._release: "Next
    waiting tasks will be blocked until the end of draining."
    """

    async def _block(self) -> None:
        me: Any = self
        await me._cond.wait_for(lambda: me._state.value != "resetting")
        if self.broken:
            raise asyncio.BrokenBarrierError("Barrier aborted")
