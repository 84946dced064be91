"""Waiters are woken in any order, and a newcomer may be served before them."""

from functools import partial
from typing import Literal

import impl
from impl.sync.waiters import wake

from ....programs.freedoms import locks, queues
from ....programs.freedoms.draws import Hearing, pause


class Lock(locks.Lock):
    """Any waiter may be the first."""

    __slots__ = ()

    def release(self) -> None:
        locks.turn(self._waiters)
        super().release()

    def _knock(self) -> None:
        if not any(waiter.done() and not waiter.cancelled() for waiter in self._waiters):
            locks.turn(self._waiters)
        super()._knock()


class RacingLock(Hearing, impl.Lock):
    """Its release wakes all waiters: the first task that looks takes it, also a newcomer."""

    __slots__ = ()

    async def acquire(self) -> Literal[True]:
        while self._locked:
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        self._locked = True
        await pause(partial(RacingLock.release, self))
        return True

    def _knock(self) -> None:
        wake(self._waiters, len(self._waiters), True)


class Condition(locks.UnorderedCondition):
    """A condition with such a lock."""

    __slots__ = ()

    def __init__(self, lock: impl.Lock | None = None) -> None:
        super().__init__(Lock() if lock is None else lock)


WAYS = [
    {
        "Lock": Lock,
        "Condition": Condition,
        "Semaphore": locks.UnorderedSemaphore,
        "BoundedSemaphore": locks.UnorderedBoundedSemaphore,
        "Queue": queues.UnorderedQueue,
        "LifoQueue": queues.UnorderedLifoQueue,
        "PriorityQueue": queues.UnorderedPriorityQueue,
    },
    {
        "Lock": RacingLock,
        "Semaphore": locks.RacingSemaphore,
        "BoundedSemaphore": locks.RacingBoundedSemaphore,
    },
]
