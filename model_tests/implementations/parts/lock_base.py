"""Primitives without a design: a design says how a task waits, and whom a change wakes."""

import asyncio
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")
#: A place in the line of a condition.
W = TypeVar("W")


class AsyncAcquired:
    """A primitive that is acquired and released, also by `async with`."""

    async def acquire(self) -> Literal[True]:
        raise NotImplementedError

    def release(self) -> None:
        raise NotImplementedError

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()


class LockBase(AsyncAcquired):
    """A lock with a flag; `acquire` sets it, `_freed` wakes tasks."""

    _locked = False

    def _freed(self) -> None:
        """Wake tasks: the lock is free."""
        raise NotImplementedError

    def locked(self) -> bool:
        return self._locked

    def release(self) -> None:
        if not self._locked:
            raise RuntimeError("the lock is not acquired")
        self._locked = False
        self._freed()


class SemaphoreBase(AsyncAcquired):
    """A semaphore; `_free` is the number of free permits."""

    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("the value of a semaphore must not be below 0")
        self._free = self._bound = value

    def locked(self) -> bool:
        return self._free_now() <= 0

    def _free_now(self) -> int:
        return self._free


class Bounded(SemaphoreBase):
    """A semaphore that refuses a release above its first value: the base before the `Semaphore` of a design."""

    def release(self) -> None:
        if self._free_now() >= self._bound:
            raise ValueError("released too many times")
        super().release()


class ConditionBase(AsyncAcquired, Generic[W]):
    """A condition with a line of places; a waiter that is notified but then fails passes its notification on."""

    def __init__(self, lock: Any = None) -> None:
        # Any: a lock of the caller's may be of any class that has asyncio's interface.
        self._lock: Any = asyncio.Lock() if lock is None else lock
        self._line: list[W] = []

    async def _place(self) -> W:
        """Return a new place, without a turn of the loop."""
        raise NotImplementedError

    async def _sleep(self, place: W) -> None:
        """Wait at the place until it is woken."""
        raise NotImplementedError

    def _wake(self, place: W) -> None:
        raise NotImplementedError

    async def _afterwards(self) -> None:
        """Run in `wait` when the lock was acquired again."""

    def _next(self, n: int) -> list[W]:
        """Return the places of the line that a notification of n tasks wakes."""
        return self._line[:n]

    def locked(self) -> bool:
        return bool(self._lock.locked())

    async def acquire(self) -> Literal[True]:
        await self._lock.acquire()
        return True

    def release(self) -> None:
        self._lock.release()

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("the lock is not acquired")
        for place in self._next(max(n, 0)):
            self._line.remove(place)
            self._wake(place)

    def notify_all(self) -> None:
        self.notify(len(self._line))

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("the lock is not acquired")
        place, cancelled = await self._place(), None
        self._line.append(place)
        self.release()
        try:
            await self._sleep(place)
        except asyncio.CancelledError as error:
            cancelled = error
        if asleep := place in self._line:
            self._line.remove(place)
        while True:
            try:
                await self.acquire()
                break
            except asyncio.CancelledError as error:
                cancelled = error
        try:
            if cancelled is not None:
                raise cancelled
            await self._afterwards()
        except BaseException:
            if not asleep:
                self.notify()  # the wake-up goes on to another
            raise
        return True

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        while not (result := predicate()):
            await self.wait()
        return result


class BarrierBase:
    """A barrier; `_meet` waits for a round and returns a number, or None if `_end_round` broke the round."""

    def __init__(self, parties: int) -> None:
        if parties < 1:
            raise ValueError("a barrier needs one party or more")
        self._parties, self._broken = parties, False

    async def _meet(self) -> int | None:
        raise NotImplementedError

    def _end_round(self, good: bool) -> None:
        raise NotImplementedError

    @property
    def parties(self) -> int:
        return self._parties

    @property
    def broken(self) -> bool:
        return self._broken

    async def wait(self) -> int:
        if self._broken:
            raise asyncio.BrokenBarrierError("the barrier is broken")
        number = await self._meet()
        if number is None or self._broken:
            raise asyncio.BrokenBarrierError("the barrier was broken or reset")
        return number

    async def reset(self) -> None:
        self._broken = False
        self._end_round(False)

    async def abort(self) -> None:
        self._broken = True
        self._end_round(False)

    async def __aenter__(self) -> int:
        return await self.wait()

    async def __aexit__(self, *exc: object) -> None:
        return None
