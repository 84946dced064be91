"""Wrong semaphores: permits that are lost or made, and bounds."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any

#: Any: typeshed does not know the private names of asyncio's classes.
_Semaphore: Any = asyncio.Semaphore
_BoundedSemaphore: Any = asyncio.BoundedSemaphore


class _OwnSemaphore(_Semaphore):
    """A right semaphore written anew: release() hands the permit to the first waiter, else raises the value."""

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._line: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        return bool(self._value == 0)

    def _next(self) -> asyncio.Future[None]:
        return self._line.popleft()

    async def acquire(self) -> bool:
        if self._value > 0:
            self._value -= 1
            return True
        permit: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append(permit)
        try:
            await permit
        except asyncio.CancelledError:
            self._cancelled(permit)
            raise
        return True

    def _cancelled(self, permit: asyncio.Future[None]) -> None:
        if permit.cancelled():
            if permit in self._line:
                self._line.remove(permit)
        else:
            self.release()

    def release(self) -> None:
        while self._line:
            permit = self._next()
            if not permit.done():
                permit.set_result(None)
                return
        self._value += 1


class ReleaseCountsTwice(_Semaphore):
    """A semaphore whose release() raises the value although it also wakes a waiter with that permit.

    Breaks asyncio-sync, Semaphore.release(): "Release a semaphore, incrementing the internal counter by one."
    """

    def release(self) -> None:
        waiting = any(not waiter.done() for waiter in self._waiters or ())
        super().release()
        if waiting:
            self._value += 1


class LooksFree(_OwnSemaphore):
    """A semaphore that is not locked at value 0 until a task waits for it.

    Breaks asyncio-sync, Semaphore.locked(): "Returns True if semaphore can not be acquired immediately."
    """

    def locked(self) -> bool:
        return bool(self._line)


class RaisesAndReleases(_BoundedSemaphore):
    """A bounded semaphore whose release() raises ValueError after it has raised the value.

    Breaks asyncio-sync, BoundedSemaphore: "raises a ValueError in release() if it increases the internal counter above
    the initial value" - the counter must not stay above it.
    """

    def release(self) -> None:
        _Semaphore.release(self)
        if self._value > self._bound_value:
            raise ValueError("BoundedSemaphore released too many times")


class BoundOfOne(_BoundedSemaphore):
    """A bounded semaphore whose release() raises as soon as any permit is free.

    Breaks asyncio-sync, BoundedSemaphore: "raises a ValueError in release() if it increases the internal counter above
    the initial value."
    """

    def release(self) -> None:
        if self._value:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()
