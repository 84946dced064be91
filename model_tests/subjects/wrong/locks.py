"""Wrong locks: which waiter proceeds, what a cancel leaves behind, and what release() checks."""

from __future__ import annotations

import asyncio
from typing import Any

from ._parts import Lock, line_of, wait_in_line


class KeptByTheCancelled(Lock):
    """A lock that stays locked when the waiter that it was handed to is cancelled before it runs.

    Breaks asyncio-sync, Lock.release(): "When the lock is locked, reset it to unlocked and return" - the lock has no
    owner then, and the next waiter waits for ever.
    """

    async def acquire(self: Any) -> bool:
        if self._locked or self._waiters:
            await wait_in_line(line_of(self), self._left)
        self._locked = True
        return True

    def _left(self, woken: bool) -> None:
        self._locked = self._locked or woken


class CancelLosesTheWakeUp(Lock):
    """A lock whose waiter, cancelled after it was woken, does not wake the next one.

    Breaks asyncio-sync, Lock.acquire(): "When more than one task is blocked in acquire() waiting for the lock to be
    unlocked, only one task eventually proceeds" - here none does.
    """

    def _wake_up_first(self) -> None:
        for waiter in self._waiters or ():
            if not waiter.done():
                waiter.set_result(True)
                return

    async def acquire(self: Any) -> bool:
        if self._locked or not all(waiter.cancelled() for waiter in self._waiters or ()):
            await wait_in_line(line_of(self))
        self._locked = True
        return True


class LetsNewcomersIn(Lock):
    """A lock that a newcomer takes before the waiter that release() woke.

    Breaks asyncio-sync, Lock.acquire(): "Acquiring a lock is fair: the task that proceeds will be the first task that
    started waiting on the lock."
    """

    async def acquire(self: Any) -> bool:
        while self._locked:
            await wait_in_line(line_of(self), lambda woken: self._locked or self._wake_up_first())
        self._locked = True
        return True


class ReleasesTwice(Lock):
    """A lock whose release() does nothing when it is unlocked.

    Breaks asyncio-sync, Lock.release(): "If the lock is unlocked, a RuntimeError is raised."
    """

    def release(self) -> None:
        if self._locked:
            super().release()


class Reentrant(Lock):
    """A lock that the task which holds it can acquire once more.

    Breaks asyncio-sync, Lock.acquire(): "This method waits until the lock is unlocked, sets it to locked and returns
    True."
    """

    _owner: Any = None

    async def acquire(self) -> bool:
        task = asyncio.current_task()
        if not (self._locked and self._owner is task):
            await super().acquire()
            self._owner = task
        return True


class KeepsOnError(Lock):
    """A lock that its `async with` releases only if the block ends without an error.

    Breaks asyncio-sync, Lock: "async with lock" is equivalent to acquire(), try, finally: release().
    """

    async def __aexit__(self, exc_type: Any, exc: Any, tb: Any) -> None:
        if exc_type is None:
            self.release()


class AnswersNothing(Lock):
    """A lock whose acquire() returns True only if it did not wait.

    Breaks asyncio-sync, Lock.acquire(): "This method waits until the lock is unlocked, sets it to locked and returns
    True."
    """

    async def acquire(self) -> bool:
        at_once = not self._locked
        await super().acquire()
        return at_once
