"""Wrong conditions: notifications that are lost, kept or sent too far, and waits that return without the lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from impl.sync.condition import Condition
from impl.sync.waiters import wake, woken

from .mutant import breaks


class ConditionThatWaitsAgain(Condition):
    """A condition with a wait() of its own; mutants override the methods that it calls for cancelled waiters."""

    async def wait(self) -> Literal[True]:
        waiter = self._join_line(self._waiters)
        self.release()
        try:
            await waiter
        except BaseException:
            if not self.goes_on(woken(waiter)):
                raise
        finally:
            self._waiters.remove(waiter)
            await self._take_again()
        return True

    def goes_on(self, woken: bool) -> bool:
        """Return whether wait() goes on although it was cancelled."""
        return False


@breaks("COND-6", "gh-112202: asyncio until 3.12")
class ConditionKeepsNotification(ConditionThatWaitsAgain):
    """A waiter that was notified and is then cancelled does not pass the notification on."""


@breaks("COND-6", "gh-112202, in its second window: notified, and waiting for the lock")
class ConditionPassesOnTooEarly(ConditionThatWaitsAgain):
    """A cancelled waiter passes its notification on when it wakes, but not if it is cancelled while taking the lock."""

    def goes_on(self, woken: bool) -> bool:
        if woken:
            wake(self._waiters, 1, True)
        return False


@breaks("COND-4", "bpo-22970")
class ConditionReturnsUnlocked(Condition):
    """A cancel that comes while wait() takes the lock again ends it at once, without the lock."""

    async def _take_again(self) -> None:
        await self.acquire()


@breaks("COND-4", "contract: wait() holds the lock when it raises")
class ConditionCancelUnlocks(Condition):
    """A cancelled wait() does not hold the lock."""

    async def wait(self) -> Literal[True]:
        try:
            return await super().wait()
        except BaseException:
            if self.locked():
                self.release()
            raise


@breaks("LOCK-5", "as wait_for did in gh-86296")
class ConditionNotifiedIgnoresCancel(ConditionThatWaitsAgain):
    """A waiter that was notified and is then cancelled returns: the cancel is lost."""

    def goes_on(self, woken: bool) -> bool:
        return woken


@breaks("COND-1", "contract: the longest waiting is notified")
class ConditionNotifiesNewest(Condition):
    """notify() wakes the newest waiter."""

    def notify(self, n: int = 1) -> None:
        self._waiters.reverse()
        super().notify(n)
        self._waiters.reverse()


@breaks("COND-6", "contract: a cancelled waiter is not notified")
class ConditionNotifiesCancelled(Condition):
    """notify() goes to the oldest waiter even if that has been cancelled."""

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            super().notify(n)  # refuses
        waiting = [waiter for waiter in self._waiters if waiter.cancelled() or not waiter.done()]
        for waiter in waiting[:n]:
            if not waiter.done():
                waiter.set_result(True)


@breaks("COND-1", "contract: notify() wakes one")
class ConditionNotifiesAll(Condition):
    """notify() wakes all waiters."""

    def notify(self, n: int = 1) -> None:
        super().notify(len(self._waiters))


@breaks("COND-1", "contract: notify(n) wakes n")
class ConditionNotifiesOneMore(Condition):
    """notify(n) wakes n + 1 waiters."""

    def notify(self, n: int = 1) -> None:
        super().notify(n + 1)


@breaks("COND-8", "contract: notify_all() wakes all")
class ConditionNotifiesOneForAll(Condition):
    """notify_all() wakes one waiter."""

    def notify_all(self) -> None:
        self.notify()


@breaks("COND-1", "contract: a condition keeps no notifications")
class ConditionRemembersNotification(Condition):
    """A notify() without waiters is kept for the next wait(), as a semaphore keeps a permit."""

    _kept = False

    def notify(self, n: int = 1) -> None:
        self._kept = not self._waiters
        super().notify(n)

    async def wait(self) -> Literal[True]:
        if self._kept:
            self._kept = False
            return True
        return await super().wait()


@breaks("COND-3", "contract: notify() needs the lock")
class ConditionNotifiesUnlocked(Condition):
    """notify() without the lock has no effect and raises no error."""

    def notify(self, n: int = 1) -> None:
        if self.locked():
            super().notify(n)


@breaks("COND-7", "contract: wait_for() returns what the predicate gave")
class ConditionWaitForReturnsTrue(Condition):
    """wait_for() returns True instead of the value of the predicate."""

    async def wait_for(self, predicate: Callable[[], Any]) -> Any:
        return bool(await super().wait_for(predicate))


@breaks("COND-7", "contract: wait_for() checks the predicate again")
class ConditionWaitForWaitsOnce(Condition):
    """wait_for() waits once, and returns whether or not the predicate holds by then."""

    async def wait_for(self, predicate: Callable[[], Any]) -> Any:
        if not predicate():
            await self.wait()
        return predicate()
