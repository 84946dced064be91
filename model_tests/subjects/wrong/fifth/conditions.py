"""Wrong asyncio.Condition, Event and Barrier: the lock after a cancel, notifications, flags, generations."""

from __future__ import annotations

import asyncio
from typing import Any

_Condition: Any = asyncio.Condition  # Any: the subjects use its private parts
_Event: Any = asyncio.Event
_Barrier: Any = asyncio.Barrier
_locks: Any = asyncio.locks
_State: Any = _locks._BarrierState


class ConditionThatIsUnlockedAfterACancel(_Condition):
    """A cancelled wait() does not acquire the lock again, so the end of "async with" raises RuntimeError.

    Breaks "Once awakened, the Condition re-acquires its lock" (asyncio-sync.html, Condition.wait()); locks.py,
    Condition.wait(): "Must re-acquire lock even if wait is cancelled."
    """

    async def wait(self) -> bool:
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = self._get_loop().create_future()
        self.release()
        self._waiters.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if not waiter.cancelled():
                self._pass_on()
            raise
        finally:
            self._waiters.remove(waiter)
        await self._acquire_again()
        return True

    async def _acquire_again(self) -> None:
        try:
            await self.acquire()
        except asyncio.CancelledError:
            self._pass_on()
            raise

    def _pass_on(self) -> None:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(False)
                return


class ConditionThatNotifiesTheSameAgain(_Condition):
    """notify() counts those that were notified but did not run yet: twice in a block, it wakes one task.

    Breaks "Wake up n tasks (1 by default) waiting on this condition. If fewer than n tasks are waiting they are all
    awakened." (asyncio-sync.html, Condition.notify()); locks.py counts only where "not fut.done()".
    """

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for waiter in list(self._waiters)[:n]:
            if not waiter.done():
                waiter.set_result(False)


class EventThatLooksAgain(_Event):
    """A woken wait() looks at the flag again, and waits on if clear() followed set() at once.

    Breaks "Set the event. All tasks waiting for event to be set will be immediately awakened." (asyncio-sync.html,
    Event.set()); "Otherwise block until another task calls set()." (Event.wait())
    """

    async def wait(self) -> bool:
        while not self._value:
            await super().wait()
        return True


class EventWithOneFuture(_Event):
    """All wait() calls await one future without a shield: the cancel() of one cancels the others.

    Breaks "Wait until the event is set. If the event is set, return True immediately. Otherwise block until another
    task calls set()." (asyncio-sync.html, Event.wait()); locks.py makes a future for each call.
    """

    async def wait(self) -> bool:
        if self._value:
            return True
        if not self._waiters or self._waiters[0].done():
            self._waiters.clear()
            self._waiters.append(self._get_loop().create_future())
        await self._waiters[0]
        return True


class BarrierThatCountsTheCancelled(_Barrier):
    """A task that is cancelled in wait() is still counted, so the barrier opens with one task too few.

    Breaks "Pass the barrier. When all the tasks party to the barrier have called this function, they are all unblocked
    simultaneously." and "When a waiting or blocked task in the barrier is cancelled, this task exits the barrier which
    stays in the same state. If the state of the barrier is "filling", the number of waiting task decreases by 1."
    (asyncio-sync.html, Barrier.wait())
    """

    async def wait(self) -> int:
        async with self._cond:
            await self._block()
            index: int = self._count
            self._count += 1
            try:
                await (self._release() if index + 1 == self._parties else self._wait())
            except asyncio.BrokenBarrierError:
                self._leave()
                raise
            self._leave()
            return index

    def _leave(self) -> None:
        self._count -= 1
        self._exit()


class BarrierThatIsEnteredWhileDraining(_Barrier):
    """A task that comes back before the others have left is counted with them, and passes alone.

    Breaks "Tasks can wait on the wait() method and would be blocked until the specified number of tasks end up
    waiting on wait()." and "The barrier can be reused any number of times." (asyncio-sync.html, Barrier); locks.py,
    Barrier._block(): "It is draining or resetting, wait until done".
    """

    async def _block(self) -> None:
        await self._cond.wait_for(lambda: self._state is not _State.RESETTING)
        if self._state is _State.BROKEN:
            raise asyncio.BrokenBarrierError("Barrier aborted")
