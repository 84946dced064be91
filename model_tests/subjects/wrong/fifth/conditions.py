"""Wrong asyncio.Condition, Event and Barrier: the lock after a cancel, notifications, flags, generations."""

from __future__ import annotations

import asyncio
from typing import Any

_Condition: Any = asyncio.Condition  # Any: the subjects use its private parts
_Event: Any = asyncio.Event
_Barrier: Any = asyncio.Barrier
_locks: Any = asyncio.locks
_State: Any = _locks._BarrierState


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
