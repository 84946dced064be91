"""Primitives that hand over directly: `release` makes the oldest waiter the holder; a queue serves its waiters in turn.

Difference: CPython's release frees the lock and wakes the first waiter, which takes it when it runs.  Here the lock
or permit belongs to that waiter from the release on, so `locked()` stays true, and a waiter takes nothing itself.  In
the queue the right to get, and the right to put, is handed from task to task: a `get` that begins while others wait
queues up behind them, although there is an item (CPython's takes it).

Freedom: "the coroutine that proceeds will be the first coroutine that started waiting on the lock"
(Lock.acquire) says which, not when it becomes the holder: that `release` resets the lock to unlocked shows only if no
task waits.  "Release a semaphore, incrementing the internal counter by
one.  Can wake up a task waiting to acquire the semaphore" and "If queue is empty, wait until an item is available"
(Queue.get) name no order among tasks.

An item stays in the queue until a getter runs and takes it.  A queue that gave it away at `put` would have to take it
back from a getter that is cancelled, after a younger item was received (against "first in, first out") or when its
place was used (against `maxsize`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Literal

from .designs.lock_base import AsyncAcquired
from .designs.queue_base import QueueShutDown, T
from .designs.queues import turnstile_of_two_locks

__all__ = ["BoundedSemaphore", "Lock", "Queue", "QueueShutDown", "Semaphore"]


class Permits(AsyncAcquired):
    """A count of permits, each free or held, and a FIFO queue of waiters."""

    def __init__(self, free: int) -> None:
        self._free = free
        self._waiters: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        return self._free == 0

    async def acquire(self) -> Literal[True]:
        if self._free:
            self._free -= 1
            return True
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
        except BaseException:
            if waiter.done() and not waiter.cancelled():
                self._give_back()
            else:
                waiter.cancel()  # an error other than a cancel leaves it pending
                with suppress(ValueError):
                    self._waiters.remove(waiter)
            raise
        return True

    def _give_back(self) -> None:
        """Hand a permit to the oldest waiter; free it if there is none."""
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                self._hand(waiter)
                return
        self._free += 1

    def _hand(self, waiter: asyncio.Future[None]) -> None:
        waiter.set_result(None)

    def release(self) -> None:
        self._give_back()


class Lock(Permits):
    def __init__(self) -> None:
        super().__init__(1)

    def release(self) -> None:
        if self._free:
            raise RuntimeError("the lock is not acquired")
        self._give_back()


class Semaphore(Permits):
    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("a semaphore cannot begin with less than 0 permits")
        super().__init__(value)


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._most = value

    def release(self) -> None:
        if self._free >= self._most:
            raise ValueError("the semaphore was released too many times")
        super().release()


class Queue(turnstile_of_two_locks.Queue[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._ends = {"item": Lock(), "room": Lock()}
