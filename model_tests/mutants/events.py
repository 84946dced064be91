"""Wrong events: most are events that work like a condition."""

from __future__ import annotations

from typing import Literal

from impl import sleep
from impl.sync.locks import Event
from impl.sync.waiters import wake, woken

from .mutant import breaks


@breaks("EVENT-1", "contract: set() wakes all waiters")
class EventSetWakesOne(Event):
    """set() wakes the oldest waiter only."""

    def set(self) -> None:
        self._set = True
        wake(self._waiters, 1, True)


@breaks("EVENT-1", "contract: set() wakes all waiters")
class EventSetStopsAtCancelled(Event):
    """set() wakes waiters up to the first that was cancelled."""

    def set(self) -> None:
        self._set = True
        for waiter in self._waiters:
            if waiter.done():
                break
            waiter.set_result(True)


@breaks("EVENT-2", "contract: wait() on a set event returns at once")
class EventWaitsWhenSet(Event):
    """wait() does not check whether the event is set."""

    async def wait(self) -> Literal[True]:
        waiter = self._join_line(self._waiters)
        try:
            await waiter
        finally:
            self._waiters.remove(waiter)
        return True

    def set(self) -> None:
        self._set = False
        super().set()


@breaks("EVENT-2", "contract: wait() on a set event does not suspend")
class EventAlwaysSuspends(Event):
    """wait() on a set event suspends for one iteration."""

    async def wait(self) -> Literal[True]:
        if self._set:
            await sleep(0)
        return await super().wait()


@breaks("EVENT-3", "contract: clear() blocks every later wait()")
class EventIgnoresClear(Event):
    """After a set() and a clear(), wait() returns while a woken waiter has not run yet."""

    async def wait(self) -> Literal[True]:
        if self._waiters and self._waiters[0].done():
            return True
        return await super().wait()


@breaks("EVENT-4", "contract: set() then clear() releases all waiters")
class EventChecksAgain(Event):
    """A woken waiter checks the flag again, and waits on if it was cleared meanwhile."""

    async def wait(self) -> Literal[True]:
        while not self._set:
            await super().wait()
        return True


@breaks("EVENT-7", "as wait_for did in gh-86296")
class EventWokenWaiterIgnoresCancel(Event):
    """A waiter that is woken and then cancelled returns: the cancel is lost."""

    async def wait(self) -> Literal[True]:
        if not self._set:
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            except BaseException:
                if not woken(waiter):
                    raise
            finally:
                self._waiters.remove(waiter)
        return True
