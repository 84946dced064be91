"""Primitives that hand over directly: `release` makes the oldest waiter the holder; a queue serves its waiters in turn.

What differs: CPython's release frees the lock and wakes the first waiter, which takes it when it runs.  Here the lock
or permit belongs to that waiter from the release on, so `locked()` stays true, and a waiter takes nothing itself.  In
the queue the right to get, and the right to put, is handed from task to task: a `get` that begins while others wait
queues up behind them, although there is an item (CPython's takes it).

What leaves that free: "the coroutine that proceeds will be the first coroutine that started waiting on the lock"
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
from typing import Generic, Literal, TypeVar

T = TypeVar("T")


class Permits:
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

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        self.release()


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


class Signal:
    """Wakes the one task that waits for it; each side of the queue has one, for the task that has the right."""

    def __init__(self) -> None:
        self._waiter: asyncio.Future[None] | None = None

    def __call__(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def wait(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: deque[T] = deque()
        self._getting, self._putting = Lock(), Lock()
        self._item, self._room = Signal(), Signal()
        self._unfinished = 0
        self._finished = asyncio.Event()
        self._finished.set()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    def put_nowait(self, item: T) -> None:
        if self.full():
            raise asyncio.QueueFull
        self._items.append(item)
        self._unfinished += 1
        self._finished.clear()
        self._item()

    def get_nowait(self) -> T:
        if not self._items:
            raise asyncio.QueueEmpty
        item = self._items.popleft()
        self._room()
        return item

    async def put(self, item: T) -> None:
        async with self._putting:
            while self.full():
                await self._room.wait()
            self.put_nowait(item)

    async def get(self) -> T:
        async with self._getting:
            while not self._items:
                await self._item.wait()
            return self.get_nowait()

    def task_done(self) -> None:
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if not self._unfinished:
            self._finished.set()

    async def join(self) -> None:
        if self._unfinished:
            await self._finished.wait()
