"""Wrong locks, semaphores, events, conditions and barriers: a second set."""

from __future__ import annotations

import asyncio
import collections
from typing import Any

from .._parts import Barrier, Lock, Semaphore, wait_in_line


class LockIsOwnedByItsTask(Lock):
    """Only the task that acquired the lock may release it.

    Breaks asyncio-sync.html, Lock.release(): "When the lock is locked, reset it to unlocked and return.";
    and the source, Lock: "not owned by a particular coroutine when locked".
    """

    _owner: Any = None

    async def acquire(self) -> bool:
        """Acquire, and remember the task."""
        await super().acquire()
        self._owner = asyncio.current_task()
        return True

    def release(self) -> None:
        """Release, if this is the owner."""
        if self.locked() and self._owner is not asyncio.current_task():
            raise RuntimeError("cannot release a lock of another task")
        super().release()
        self._owner = None


class SemaphoreWakesOnlyFromZero(Semaphore):
    """A release() wakes a waiter only if the counter was zero, so of two releases in a row one wakes no waiter.

    Breaks asyncio-sync.html, Semaphore.acquire(): "If it is zero, wait until a release() is called and
    return True."
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._waiters: Any = collections.deque()

    async def acquire(self) -> bool:
        """Take a permit, or wait for one."""
        if self.locked():
            await wait_in_line(self._waiters, lambda woken: woken and self._wake_first())
        self._value -= 1
        return True

    def release(self) -> None:
        """Give back a permit."""
        self._value += 1
        if self._value == 1:
            self._wake_first()

    def _wake_first(self) -> Any:
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(True)
                return


class BarrierLetsTheNextRoundIn(Barrier):
    """A task that comes back while the barrier is draining passes at once with the old round.

    Breaks asyncio-sync.html, Barrier: "Tasks can wait on the wait() method and would be blocked until the
    specified number of tasks end up waiting on wait()."; "The barrier can be reused any number of times."
    """

    async def _block(self) -> None:
        if self.broken:
            raise asyncio.BrokenBarrierError("Barrier aborted")
