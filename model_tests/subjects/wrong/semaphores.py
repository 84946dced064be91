"""Wrong semaphores: permits that are lost or made, and bounds."""

from __future__ import annotations

from ._parts import BoundedSemaphore, Semaphore


class ReleaseCountsTwice(Semaphore):
    """A semaphore whose release() raises the value although it also wakes a waiter with that permit.

    Breaks asyncio-sync, Semaphore.release(): "Release a semaphore, incrementing the internal counter by one."
    """

    def release(self) -> None:
        waiting = any(not waiter.done() for waiter in self._waiters or ())
        super().release()
        if waiting:
            self._value += 1


class LooksFree(Semaphore):
    """A semaphore that is not locked at value 0 until a task waits for it.

    Breaks asyncio-sync, Semaphore.locked(): "Returns True if semaphore can not be acquired immediately."
    """

    _acquiring = 0

    def locked(self) -> bool:
        return bool(self._acquiring and super().locked())

    async def acquire(self) -> bool:
        self._acquiring += 1
        try:
            return bool(await super().acquire())
        finally:
            self._acquiring -= 1


class RaisesAndReleases(BoundedSemaphore):
    """A bounded semaphore whose release() raises ValueError after it has raised the value.

    Breaks asyncio-sync, BoundedSemaphore: "raises a ValueError in release() if it increases the internal counter above
    the initial value" - the counter must not stay above it.
    """

    def release(self) -> None:
        Semaphore.release(self)
        if self._value > self._bound_value:
            raise ValueError("BoundedSemaphore released too many times")


class BoundOfOne(BoundedSemaphore):
    """A bounded semaphore whose release() raises as soon as any permit is free.

    Breaks asyncio-sync, BoundedSemaphore: "raises a ValueError in release() if it increases the internal counter above
    the initial value."
    """

    def release(self) -> None:
        if self._value:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()
