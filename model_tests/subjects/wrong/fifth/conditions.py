"""Wrong asyncio.Condition, Event and Barrier: the lock after a cancel, notifications, flags, generations."""

from __future__ import annotations

from .._parts import Event


class EventWithOneFuture(Event):
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
