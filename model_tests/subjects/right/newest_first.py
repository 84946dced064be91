"""An Event, a Semaphore and a Condition that wake the task first that has waited for the shortest time.

Difference: CPython wakes tasks in the order in which they began to wait.

Freedom: the documentation promises that order for Lock alone ("Acquiring a lock is fair").  "Can wake up
a task waiting to acquire the semaphore" (Semaphore.release), "Wake up n tasks (1 by default) waiting on this condition"
(Condition.notify) and "All tasks waiting for event to be set will be immediately awakened" (Event.set) name none.
CPython's code and its tests keep an order all the same: these are right by the documentation only.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import broadcast, hand_over
from .conditions import ConditionWaiter, SpuriousCondition


class Event(broadcast.Event):
    def set(self) -> None:
        self._futures.reverse()
        super().set()


class Semaphore(hand_over.Semaphore):
    def _give_back(self) -> None:
        self._waiters.reverse()
        try:
            super()._give_back()
        finally:
            self._waiters.reverse()


class Condition(SpuriousCondition):
    def chosen(self, waiters: list[ConditionWaiter], n: int) -> list[ConditionWaiter]:
        return waiters[::-1][:n]

    def woken(self, waiters: list[ConditionWaiter]) -> Iterable[ConditionWaiter]:
        return reversed(list(super().woken(waiters)))
