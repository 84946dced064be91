"""Wrong locks, conditions, barriers and queues, each with one defect, which small scope must catch in few steps.

Theory of operation.  As in `mutants.py`: the reference with one rule taken away, which `met` says where.  Each is
put under the scene that is named with it, in a namespace that is `impl`'s but for the one class, and must break the
rule there, after the steps that stand with it: a shortest scenario, of two waiters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final, Literal

import impl
from impl.interfaces import Waiter
from impl.sync.queue import Queue
from impl.sync.waiters import wake

from .. import scenes
from ..small_scope import Scene

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
    """A wrong class; `rule` is what it breaks, `met` where that happened, `steps` a shortest way for two waiters."""

    wrong: type[Any]
    scene: Callable[[Any, int], Scene]
    rule: str
    steps: str
    met: str

    def names(self) -> Any:
        """impl's names, with the wrong class for the right one."""
        right = next(
            kind.__name__ for kind in self.wrong.__mro__[1:] if getattr(impl, kind.__name__, None) is kind
        )
        return SimpleNamespace(**{**vars(impl), right: self.wrong})


#: Wakes the oldest, and cancels it before it runs.
_LATE: Final = "hand over, cancel W0"

WRONG_LOCKS: Final = (
    WrongLock(KeepsItsKnock, scenes.Held, "LOCK-8", _LATE, "bpo-27585: asyncio until 3.6.1"),
    WrongLock(
        KnocksAtTheNewest, scenes.Held, "LOCK-10", "hand over, turn, hand over", "contract: as they came"
    ),
    WrongLock(BargingLock, scenes.Held, "LOCK-7", "one more comes, hand over", "contract: mutual exclusion"),
    WrongLock(KeepsThePermit, scenes.OneOfSemaphore, "LOCK-8", _LATE, "contract: permits are conserved"),
    WrongLock(PutsThePermitBack, scenes.OneOfSemaphore, "LOCK-8", _LATE, "asyncio#270: asyncio of 2015"),
    WrongLock(
        BargingSemaphore,
        scenes.OneOfSemaphore,
        "SEM-2",
        "one more comes, hand over, turn, hand over",
        "gh-90155: asyncio until 3.10",
    ),
    WrongLock(ReleasesTwice, scenes.TwoOfBounded, "LOCK-7", "cancel W0", "contract: permits are conserved"),
    WrongLock(EatsTheNotification, scenes.Notified, "COND-6", _LATE, "gh-112202: asyncio until 3.12"),
    WrongLock(
        HandsOnTooEarly,
        scenes.NotifiedSlowly,
        "COND-6",
        "hand over, turn, cancel W0",
        "gh-112202, in its second window: notified, and waiting for the lock",
    ),
    WrongLock(
        GoesOnWithoutTheLock,
        scenes.NotifiedSlowly,
        "COND-4",
        "hand over, turn, cancel W0",
        "bpo-22970",
    ),
    WrongLock(
        NotifiesTheGone, scenes.Notified, "COND-1", "hand over, hand over", "contract: who waits is woken"
    ),
    WrongLock(SetsOne, scenes.Pulse, "EVENT-1", "hand over", "contract: all are woken"),
    WrongLock(
        LooksTwice, scenes.Pulse, "EVENT-4", "hand over", "contract: set, then clear, lets all through"
    ),
    WrongLock(CountsParties, scenes.Parties, "BARRIER-1", "cancel W0, hand over, hand over", "gh-155233"),
    WrongLock(KeepsTheInvitation, scenes.Getters, "QUEUE-5", _LATE, "bpo-25233: asyncio 3.4.3"),
    WrongLock(KeepsTheInvitation, scenes.Putters, "QUEUE-21", _LATE, "bpo-25233, the putters' half"),
    WrongLock(InvitesTheNewest, scenes.Getters, "QUEUE-3", "hand over, hand over", "contract: as they came"),
    WrongLock(
        ShutsSilently, scenes.ShutGetters, "QUEUE-32", "hand over, hand over", "contract: all are unblocked"
    ),
)
