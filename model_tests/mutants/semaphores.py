"""Wrong semaphores: permits that are lost, that multiply, or that overtake."""

from __future__ import annotations

from typing import Literal

from impl.sync.locks import BoundedSemaphore, Semaphore
from impl.sync.waiters import wake, woken

from .mutant import breaks


class SemaphoreThatWaitsAgain(Semaphore):
    """A right semaphore with an acquire() of its own; mutants override the methods for waiters that leave."""

    async def acquire(self) -> Literal[True]:
        if not self.locked():
            self._value -= 1
            return True
        waiter = self._join_line(self._waiters)
        try:
            await waiter
        except BaseException:
            self.cancelled(woken(waiter))
            raise
        finally:
            self._waiters.remove(waiter)
        self.offer_on()
        return True

    def cancelled(self, handed: bool) -> None:
        """Leave; `handed`: with a permit."""
        if handed:
            self.release()

    def offer_on(self) -> None:
        """Hand over the other free permits."""
        while self._value > 0 and self._hand_over():
            pass


@breaks("LOCK-8", "contract: permits are conserved")
class SemaphoreLosesPermit(SemaphoreThatWaitsAgain):
    """A permit that was handed to a waiter which is then cancelled is lost."""

    def cancelled(self, handed: bool) -> None:
        pass


@breaks("LOCK-8", "asyncio#270: asyncio of 2015")
class SemaphoreOffersPermitToNone(SemaphoreThatWaitsAgain):
    """A permit that was handed to a waiter which is then cancelled is free again, and wakes no other waiter."""

    def cancelled(self, handed: bool) -> None:
        self._value += handed


@breaks("LOCK-3", "gh-90155")
class SemaphoreHandsOverOne(SemaphoreThatWaitsAgain):
    """A waiter that resumes offers no further free permit to those that queued behind it."""

    def offer_on(self) -> None:
        pass


@breaks("LOCK-6", "contract: permits are conserved")
class SemaphoreHandsToAll(Semaphore):
    """release() hands its one permit to every waiter."""

    def release(self) -> None:
        super().release()
        wake(self._waiters, len(self._waiters), True)


@breaks("SEM-2", "gh-90155: asyncio until 3.10")
class SemaphoreBarges(Semaphore):
    """release() only wakes; a newcomer takes the free permit although others wait, and these then wait again."""

    async def acquire(self) -> Literal[True]:
        while self._value == 0:
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            except BaseException:
                if self._value:
                    wake(self._waiters, 1, True)
                raise
            finally:
                self._waiters.remove(waiter)
        self._value -= 1
        return True

    def release(self) -> None:
        self._value += 1
        wake(self._waiters, 1, True)


@breaks("LOCK-1", "contract: a free permit is taken at once if no one waits for it")
class SemaphoreWaitsForCancelled(Semaphore):
    """acquire() waits beside a free permit while a cancelled waiter has not left yet.

    The kit allows it: "Can wake up a task waiting to acquire the semaphore" (Semaphore.release) does not say that a
    task which was cancelled, and has yet to run, waits no more.
    """

    def locked(self) -> bool:
        return self._value == 0 or bool(self._waiters)


@breaks("SEM-1", "contract: the initial value is not negative")
class SemaphoreStartsNegative(Semaphore):
    """A negative initial value counts as 0."""

    def __init__(self, value: int = 1) -> None:
        super().__init__(max(value, 0))


@breaks("LOCK-6", "contract: permits are conserved")
class BoundedCancelAddsPermit(BoundedSemaphore):
    """A cancelled waiter gives back a permit that it was never handed."""

    async def acquire(self) -> Literal[True]:
        try:
            return await super().acquire()
        except BaseException:
            self._value += 1
            self._hand_over()
            raise


@breaks("SEM-3", "contract: no more permits than at first")
class BoundedReleasedTooOften(BoundedSemaphore):
    """release() is accepted however many permits are free."""

    def release(self) -> None:
        Semaphore.release(self)
