"""Wrong asyncio.Lock, Semaphore and BoundedSemaphore: turns lost to a cancel, fairness, ownership, counters."""

from __future__ import annotations

import asyncio
import collections
from typing import Any

_Semaphore: Any = asyncio.Semaphore


async def _wait_in_line(lock: Any) -> None:
    if lock._waiters is None:
        lock._waiters = collections.deque()
    waiter = lock._get_loop().create_future()
    lock._waiters.append(waiter)
    try:
        await waiter
    finally:
        lock._waiters.remove(waiter)


class SemaphoreThatLosesACancelledTurn(_Semaphore):
    """An acquire() cancelled just after release() woke it keeps the count that it was given, for ever.

    Breaks "A semaphore manages an internal counter which is decremented by each acquire() call and incremented by
    each release() call." (asyncio-sync.html, Semaphore), as that acquire() came to nothing; locks.py,
    Semaphore.acquire(): "we are not about to successfully acquire(). Therefore we must undo the bookkeeping already
    done".
    """

    async def acquire(self) -> bool:
        if not self.locked():
            self._value -= 1
            return True
        try:
            await _wait_in_line(self)  # release() has counted down for us
        finally:
            while self._value > 0 and self._has_next():
                self._wake_up_next()
        return True

    def _has_next(self) -> bool:
        return any(not waiter.done() for waiter in self._waiters)


class SemaphoreThatCountsAfterTheWait(_Semaphore):
    """A woken acquire() counts down only when it runs: if another came before, both are in, and the counter is -1.

    Breaks "The counter can never go below zero; when acquire() finds that it is zero, it blocks, waiting until some
    task calls release()." (asyncio-sync.html, Semaphore)
    """

    async def acquire(self) -> bool:
        if self._value <= 0:
            try:
                await _wait_in_line(self)
            except asyncio.CancelledError:
                if self._value > 0:
                    self._wake_up_next()
                raise
        self._value -= 1
        return True

    def release(self) -> None:
        self._value += 1
        self._wake_up_next()

    def _wake_up_next(self) -> bool:
        for waiter in self._waiters or ():
            if not waiter.done():
                waiter.set_result(True)
                return True
        return False
