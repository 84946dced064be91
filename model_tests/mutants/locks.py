"""Wrong locks: most are wrong where a wake-up and a cancel meet."""

from __future__ import annotations

from typing import Literal

from impl.errors import CancelledError
from impl.sync.locks import Lock
from impl.sync.waiters import wake, woken

from .mutant import breaks


@breaks("LOCK-8", "bpo-27585: asyncio until 3.6.1")
class LockWaiterKeepsWakeUp(Lock):
    """A waiter that is woken and then cancelled does not pass its wake-up on."""

    async def acquire(self) -> Literal[True]:
        if self._locked or self._waiters:
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        self._locked = True
        return True


class LockThatWaitsAgain(Lock):
    """A lock with an acquire() of its own; mutants override the methods that it calls for cancelled waiters."""

    async def acquire(self) -> Literal[True]:
        if self._locked or not all(waiter.cancelled() for waiter in self._waiters):
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            except BaseException:
                if not self.goes_on(woken(waiter)):
                    raise
            finally:
                self._waiters.remove(waiter)
        self._locked = True
        return True

    def goes_on(self, woken: bool) -> bool:
        """Return whether acquire() goes on although it was cancelled."""
        raise NotImplementedError


@breaks("LOCK-8", "contract: a waiter beside a free lock is woken")
class LockCancelledWaiterWakesNothing(LockThatWaitsAgain):
    """A cancelled waiter wakes nothing, not even the waiter behind it that was passed over for it."""

    def goes_on(self, woken: bool) -> bool:
        if woken and not self._locked:
            wake(self._waiters, 1, True)
        return False


@breaks("LOCK-16", "contract: a cancelled acquire() holds nothing")
class LockTakenByCancelledWaiter(LockThatWaitsAgain):
    """A waiter that is woken and then cancelled leaves with the lock."""

    def goes_on(self, woken: bool) -> bool:
        self._locked = self._locked or woken
        return False


@breaks("LOCK-5", "as wait_for did in gh-86296")
class LockWokenWaiterIgnoresCancel(LockThatWaitsAgain):
    """A waiter that is woken and then cancelled takes the lock: the cancel is lost."""

    def goes_on(self, woken: bool) -> bool:
        if not woken:
            self._knock()
        return woken


@breaks("LOCK-10", "contract: a cancel is for one waiter")
class LockCancelCancelsOthers(Lock):
    """A waiter that is cancelled cancels all other waiters."""

    async def acquire(self) -> Literal[True]:
        try:
            return await super().acquire()
        except CancelledError:
            for waiter in self._waiters:
                waiter.cancel()
            raise


@breaks("LOCK-10", "contract: first come, first served")
class LockWakesNewestFirst(Lock):
    """release() wakes the newest waiter."""

    def _knock(self) -> None:
        self._waiters.reverse()
        super()._knock()
        self._waiters.reverse()


@breaks("LOCK-7", "contract: mutual exclusion")
class LockWakesAll(Lock):
    """release() wakes all waiters, and each takes the lock without checking it."""

    def _knock(self) -> None:
        wake(self._waiters, len(self._waiters), True)


@breaks("LOCK-7", "contract: mutual exclusion")
class LockBarges(Lock):
    """A newcomer takes a free lock although a waiter was woken for it; both then hold it."""

    async def acquire(self) -> Literal[True]:
        if not self._locked:
            self._locked = True
            return True
        return await super().acquire()


@breaks("LOCK-9", "contract: release() of a free lock is an error")
class LockReleasedWhenFree(Lock):
    """release() of a free lock has no effect."""

    def release(self) -> None:
        if self._locked:
            super().release()
