"""Condition: tasks wait, inside a lock, for a state to change; the task that changes it notifies them.

1.  `wait` releases the lock, waits for a notification, and acquires the lock again, whatever happens meanwhile: its
    caller holds the lock when it returns and when it raises (COND-4).
2.  So a cancel that arrives while it acquires the lock again is deferred.  `wait` raises that very error afterwards,
    the last one if there were several, with its message (COND-5; gh-111693).
3.  `notify(n)` wakes the n oldest waiters that are not notified yet (COND-1).  A waiter that is notified but then fails
    passes its notification on to the next waiter, once it holds the lock again (COND-6; gh-112202).
4.  So `wait` may return although no notification was meant for it, for example after `notify_all` (COND-2).  Callers
    check their condition again, or use `wait_for` (COND-7).

Names and meanings are those of `asyncio.Condition` (CPython documentation of 3.15, "Synchronization Primitives").
One difference, within the documentation: a waiter that is cancelled before its notification wakes no other; CPython
3.13 wakes one in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from .locks import Lock, LockBase
from .waiters import wake, woken

T = TypeVar("T")


class Condition(LockBase):
    """A condition variable (asyncio.Condition) over `lock`; by default it makes a lock of its own."""

    __slots__ = ("_lock",)

    def __init__(self, lock: Lock | None = None) -> None:
        super().__init__()
        self._lock = Lock() if lock is None else lock

    def locked(self) -> bool:
        """Whether a task holds its lock."""
        return self._lock.locked()

    async def acquire(self) -> Literal[True]:
        """Acquire its lock; wait while it is held."""
        return await self._lock.acquire()

    def release(self) -> None:
        """Release its lock.

        Raises:
            RuntimeError: it is not held.
        """
        self._lock.release()

    async def wait(self) -> Literal[True]:
        """Release the lock, wait for a notification, acquire the lock again.  It may return unnotified (COND-2).

        Raises:
            RuntimeError: the lock is not held (COND-3).
        """
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = self._join_line(self._waiters)
        self.release()
        try:
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
                await self._take_again()
        except BaseException:
            self._hand_on(woken(waiter))
            raise
        return True

    def _hand_on(self, notified: bool) -> None:
        """Wake another waiter in the place of one that was notified and does not return."""
        if notified:
            wake(self._waiters, 1, True)

    async def _take_again(self) -> None:
        """Acquire the lock, defer every cancel until it is held, and raise the last of them."""
        assert self._loop is not None  # a waiter has bound it
        late: BaseException | None = None
        while True:
            try:
                await self.acquire()
                break
            except self._loop.Cancelled as error:
                late = error
        if late is not None:
            try:
                raise late
            finally:
                late = None  # the error's traceback holds this frame: it must not hold the error

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        """Wait until `predicate()` is true, and return its value; it is called with the lock held (COND-7).

        Raises:
            RuntimeError: it is not true at once, and the lock is not held.
        """
        while not (result := predicate()):
            await self.wait()
        return result

    def notify(self, n: int = 1) -> None:
        """Wake the n oldest waiters, or all if there are fewer; they continue when the lock is free again.

        Raises:
            RuntimeError: the lock is not held (COND-3).
        """
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        wake(self._waiters, n, True)

    def notify_all(self) -> None:
        """Wake all waiters; raises as `notify`."""
        self.notify(len(self._waiters))
