"""Wrong locks, conditions, barriers and queues: the reference with one defect where a wake-up and a cancel meet.

As in `mutants.py`, `met` says where each defect was found.  Each of them is caught by the conformance kit's enumeration
(`tests/conformance/test_enumeration.py`), except that of the barrier (`tests/core/test_barrier.py`), and, where
the specification covers it, by directed schedules (`tests/refinement/`).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final, Literal

import impl
from impl.interfaces import Waiter
from impl.sync.queue import Queue
from impl.sync.waiters import wake

# Any in this file: as in mutants.py.


class KeepsItsKnock(impl.Lock):
    """A waiter that is cancelled after it was woken tells nobody."""

    async def acquire(self) -> Literal[True]:
        if self._locked or self._waiters:
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        self._locked = True
        return True


class KnocksAtTheNewest(impl.Lock):
    """Release wakes who came last."""

    def _knock(self) -> None:
        self._waiters.reverse()
        super()._knock()
        self._waiters.reverse()


class BargingLock(impl.Lock):
    """Who comes takes a free lock although another was woken for it, who then holds it as well."""

    async def acquire(self) -> Literal[True]:
        if not self._locked:
            self._locked = True
            return True
        return await super().acquire()


class KeepsThePermit(impl.Semaphore):
    """A permit that was handed to one who is cancelled is gone."""

    async def acquire(self) -> Literal[True]:
        if not self.locked():
            self._value -= 1
            return True
        waiter = self._join_line(self._waiters)
        try:
            await waiter
        finally:
            self._waiters.remove(waiter)
        return True


class PutsThePermitBack(impl.Semaphore):
    """A permit that was handed to one who is cancelled goes back, and is offered to nobody."""

    async def acquire(self) -> Literal[True]:
        if not self.locked():
            self._value -= 1
            return True
        waiter = self._join_line(self._waiters)
        try:
            await waiter
        except BaseException:
            self._value += waiter.done() and not waiter.cancelled()
            raise
        finally:
            self._waiters.remove(waiter)
        return True


class BargingSemaphore(impl.Semaphore):
    """A release knocks, as a lock's; who comes takes the free permit although others wait, who then wait again."""

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


class ReleasesTwice(impl.BoundedSemaphore):
    """A cancelled waiter gives a permit back that it was never handed."""

    async def acquire(self) -> Literal[True]:
        try:
            return await super().acquire()
        except BaseException:
            self._value += 1
            self._hand_over()
            raise


class EatsTheNotification(impl.Condition):
    """A waiter that was notified and is cancelled hands nothing on."""

    async def wait(self) -> Literal[True]:
        waiter = self._join_line(self._waiters)
        self.release()
        try:
            await waiter
        finally:
            self._waiters.remove(waiter)
            await self._take_again()
        return True


class HandsOnTooEarly(impl.Condition):
    """A cancelled waiter hands its notification on when it wakes, not when one comes while it takes the lock."""

    async def wait(self) -> Literal[True]:
        waiter = self._join_line(self._waiters)
        self.release()
        try:
            await waiter
        except BaseException:
            if not waiter.cancelled():
                wake(self._waiters, 1, True)
            raise
        finally:
            self._waiters.remove(waiter)
            await self._take_again()
        return True


class GoesOnWithoutTheLock(impl.Condition):
    """A cancel that comes while the lock is taken again ends the wait there and then."""

    async def _take_again(self) -> None:
        await self.acquire()


class NotifiesTheGone(impl.Condition):
    """A notification goes to the oldest in line, even if that one has been cancelled."""

    def notify(self, n: int = 1) -> None:
        for waiter in list(self._waiters)[:n]:
            if not waiter.done():
                waiter.set_result(True)


class SetsOne(impl.Event):
    """Set wakes the oldest only."""

    def set(self) -> None:
        self._set = True
        wake(self._waiters, 1, True)


class LooksTwice(impl.Event):
    """Who is woken looks at the flag again, and waits on if it was cleared meanwhile."""

    async def wait(self) -> Literal[True]:
        while not self._set:
            await super().wait()
        return True


class CountsParties(impl.Barrier):
    """A place is the number of those who are there, so that after a cancel one is taken twice."""

    async def wait(self) -> int:
        came = self._count
        await super().wait()
        return came


class KeepsTheInvitation(Queue[Any]):
    """A getter or putter that is cancelled after it was woken tells nobody."""

    @staticmethod
    def _leave_line(line: deque[Waiter], waiter: Waiter) -> bool:
        Queue._leave_line(line, waiter)
        return False


class InvitesTheNewest(Queue[Any]):
    """Who came last is woken first."""

    @staticmethod
    def _wake(line: deque[Waiter]) -> None:
        line.reverse()
        Queue._wake(line)
        line.reverse()


class ShutsSilently(Queue[Any]):
    """Shutdown leaves those alone who wait already."""

    def _wake_all(self, line: deque[Waiter]) -> None:
        if not self._shut:
            super()._wake_all(line)


@dataclass(frozen=True)
class WrongLock:
    """A wrong class; `rule` is the rule that it breaks, `met` says where the defect was found."""

    wrong: type[Any]
    rule: str
    met: str

    @property
    def right(self) -> str:
        """The name of the class of impl that it derives from."""
        names = (kind.__name__ for kind in self.wrong.__mro__[1:])
        return next(name for name in names if getattr(impl, name, None) in self.wrong.__mro__)

    def names(self) -> Any:
        """impl's names, with the wrong class for the right one."""
        return SimpleNamespace(**{**vars(impl), self.right: self.wrong})


WRONG_LOCKS: Final = (
    WrongLock(KeepsItsKnock, "LOCK-8", "bpo-27585: asyncio until 3.6.1"),
    WrongLock(KnocksAtTheNewest, "LOCK-10", "contract: first come, first served"),
    WrongLock(BargingLock, "LOCK-7", "contract: mutual exclusion"),
    WrongLock(KeepsThePermit, "LOCK-8", "contract: permits are conserved"),
    WrongLock(PutsThePermitBack, "LOCK-8", "asyncio#270: asyncio of 2015"),
    WrongLock(BargingSemaphore, "SEM-2", "gh-90155: asyncio until 3.10"),
    WrongLock(ReleasesTwice, "LOCK-7", "contract: permits are conserved"),
    WrongLock(EatsTheNotification, "COND-6", "gh-112202: asyncio until 3.12"),
    WrongLock(
        HandsOnTooEarly, "COND-6", "gh-112202, in its second window: notified, and waiting for the lock"
    ),
    WrongLock(GoesOnWithoutTheLock, "COND-4", "bpo-22970"),
    WrongLock(NotifiesTheGone, "COND-1", "contract: a task that waits is woken"),
    WrongLock(SetsOne, "EVENT-1", "contract: all are woken"),
    WrongLock(LooksTwice, "EVENT-4", "contract: set, then clear, lets all through"),
    WrongLock(CountsParties, "BARRIER-1", "gh-155233"),
    WrongLock(KeepsTheInvitation, "QUEUE-5", "bpo-25233: asyncio 3.4.3"),
    WrongLock(KeepsTheInvitation, "QUEUE-21", "bpo-25233, the putters' half"),
    WrongLock(InvitesTheNewest, "QUEUE-3", "contract: first come, first served"),
    WrongLock(ShutsSilently, "QUEUE-32", "contract: all are unblocked"),
)
