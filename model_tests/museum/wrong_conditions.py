"""More wrong locks, conditions and events, which directed schedules must lead into a run that is rejected.

Theory of operation.  As in `mutants.py`: the reference with one rule taken away, which `met` says where.  Those of
`wrong_locks.py` are wrong where a wake-up and a cancel meet.  Here a permit goes to too many or to one who should have
none, a notify is kept for one who was not there, a cancel is not heard; and events are what they become when written by
who takes them for conditions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from impl.sync.condition import Condition
from impl.sync.locks import Event, Lock, Semaphore
from impl.sync.waiters import wake, woken

from ..refinement.machines.locks import condition_machine, event_machine, lock_machine
from ..refinement.subjects import IMPL
from .mutants import Mutant

# --- locks and semaphores ------------------------------------------------------------------------------------


class TakesItAlong(Lock):
    """Who was woken and then cancelled leaves with the lock."""

    async def acquire(self) -> Literal[True]:
        if self._locked or not all(waiter.cancelled() for waiter in self._waiters):
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
                self._locked = self._locked or woken(waiter)
        self._locked = True
        return True


class DeafWhenWoken(Lock):
    """A cancel between the wake-up and the run is lost: the lock is taken."""

    async def acquire(self) -> Literal[True]:
        if self._locked or not all(waiter.cancelled() for waiter in self._waiters):
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            except BaseException:
                if not woken(waiter):
                    self._knock()
                    raise
            finally:
                self._waiters.remove(waiter)
        self._locked = True
        return True


class KnocksAtAll(Lock):
    """A release wakes everybody, and nobody looks again."""

    def _knock(self) -> None:
        wake(self._waiters, len(self._waiters), True)


class TellsNobody(Lock):
    """A cancelled waiter knocks at nobody, not even if the one behind it was passed over for it."""

    async def acquire(self) -> Literal[True]:
        if self._locked or not all(waiter.cancelled() for waiter in self._waiters):
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            except BaseException:
                if woken(waiter) and not self._locked:
                    wake(self._waiters, 1, True)
                raise
            finally:
                self._waiters.remove(waiter)
        self._locked = True
        return True


class HandsToAll(Semaphore):
    """A release hands the one permit to everybody who waits."""

    def release(self) -> None:
        super().release()
        wake(self._waiters, len(self._waiters), True)


class HandsOverOne(Semaphore):
    """Who resumes offers nothing on, though others queued behind it beside a free permit."""

    async def acquire(self) -> Literal[True]:
        if not self.locked():
            self._value -= 1
            return True
        waiter = self._join_line(self._waiters)
        try:
            await waiter
        except BaseException:
            if woken(waiter):
                self.release()
            raise
        finally:
            self._waiters.remove(waiter)
        return True


# --- conditions ---------------------------------------------------------------------------------------------


class NotifiesTheNewest(Condition):
    """Who came last is woken first."""

    def notify(self, n: int = 1) -> None:
        self._waiters.reverse()
        super().notify(n)
        self._waiters.reverse()


class NotifiesAll(Condition):
    """A notify wakes everybody."""

    def notify(self, n: int = 1) -> None:
        super().notify(len(self._waiters))


class NotifiesOneForAll(Condition):
    """A notify_all wakes one, and counts on it to wake the next."""

    def notify_all(self) -> None:
        self.notify()


class KeepsTheNotify(Condition):
    """A notify that finds nobody is kept for the next who waits, as a semaphore's permit is."""

    _kept = False

    def notify(self, n: int = 1) -> None:
        self._kept = not self._waiters
        super().notify(n)

    async def wait(self) -> Literal[True]:
        if self._kept:
            self._kept = False
            return True
        return await super().wait()


class DeafWhenNotified(Condition):
    """A cancel between the notify and the run is lost: wait returns."""

    async def wait(self) -> Literal[True]:
        waiter = self._join_line(self._waiters)
        self.release()
        try:
            await waiter
        except BaseException:
            if not woken(waiter):
                raise
        finally:
            self._waiters.remove(waiter)
            await self._take_again()
        return True


# --- events -------------------------------------------------------------------------------------------------


class StopsAtTheGone(Event):
    """A set wakes waiters up to the first that was cancelled."""

    def set(self) -> None:
        self._set = True
        for waiter in self._waiters:
            if waiter.done():
                break
            waiter.set_result(True)


class WaitsAnyway(Event):
    """A wait does not look whether the event is set."""

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


class NeverCleared(Event):
    """Once somebody was let through, a clear changes nothing for those who wait."""

    async def wait(self) -> Literal[True]:
        if self._waiters and self._waiters[0].done():
            return True
        return await super().wait()


class DeafWhenSet(Event):
    """A cancel between the set and the run is lost: wait returns."""

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


# --- the collection -----------------------------------------------------------------------------------------


def wrong_lock(lock: type[Lock], rule: str, met: str) -> Mutant:
    return Mutant(replace(IMPL, name=lock.__name__, new_lock=lock), rule, met, lock_machine)


def wrong_semaphore(semaphore: type[Semaphore], rule: str, met: str) -> Mutant:
    subject = replace(IMPL, name=semaphore.__name__, new_semaphore=semaphore)
    return Mutant(subject, rule, met, lock_machine)


def wrong_condition(condition: type[Condition], rule: str, met: str) -> Mutant:
    subject = replace(IMPL, name=condition.__name__, new_condition=condition)
    return Mutant(subject, rule, met, condition_machine)


def wrong_event(event: type[Event], rule: str, met: str) -> Mutant:
    return Mutant(replace(IMPL, name=event.__name__, new_event=event), rule, met, event_machine)


MORE_LOCKS: Final = (
    wrong_lock(TakesItAlong, "LOCK-16", "contract: a cancelled acquire holds nothing"),
    wrong_lock(DeafWhenWoken, "LOCK-5", "as wait_for did in gh-86296"),
    wrong_lock(KnocksAtAll, "LOCK-7", "contract: one of them proceeds"),
    wrong_lock(TellsNobody, "LOCK-8", "contract: who waits beside a free lock is woken"),
)
MORE_SEMAPHORES: Final = (
    wrong_semaphore(HandsToAll, "LOCK-6", "contract: permits are conserved"),
    wrong_semaphore(HandsOverOne, "LOCK-3", "gh-90155"),
)
MORE_CONDITIONS: Final = (
    wrong_condition(NotifiesTheNewest, "COND-1", "contract: who has waited longest is woken"),
    wrong_condition(NotifiesAll, "COND-1", "contract: a notify is for one"),
    wrong_condition(NotifiesOneForAll, "COND-8", "contract: notify_all wakes all"),
    wrong_condition(KeepsTheNotify, "COND-1", "contract: a condition remembers nothing"),
    wrong_condition(DeafWhenNotified, "LOCK-5", "as wait_for did in gh-86296"),
)
MORE_EVENTS: Final = (
    wrong_event(StopsAtTheGone, "EVENT-1", "contract: a set wakes all that wait"),
    wrong_event(WaitsAnyway, "EVENT-2", "contract: a set event lets through"),
    wrong_event(NeverCleared, "EVENT-3", "contract: a clear is for all that come later"),
    wrong_event(DeafWhenSet, "EVENT-7", "as wait_for did in gh-86296"),
)
