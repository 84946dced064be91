"""Condition: tasks that hold a lock wait for something to become true, and others tell them when it may be.

Theory of operation.
1.  `wait` gives the lock back, waits to be notified, and takes the lock again, whatever happens to it meanwhile: its
    caller is inside the lock when it returns and when it raises (COND-4).
2.  So a cancel that comes while it takes the lock again must be put off.  What is raised afterwards is that very
    error, the last one if there were several, with its message (COND-5; gh-111693).
3.  `notify(n)` wakes the n oldest that were not notified yet (COND-1).  Who was notified and then ends in an error
    has eaten a notification that another waited for, and hands it on (COND-6; gh-112202).  It does so at the very
    end, when it holds the lock again.
4.  So `wait` may return when nobody has called notify for it: after `notify_all`, say, to one who came later
    (COND-2).  Callers look again, or use `wait_for` (COND-7).

Names and meanings are those of `asyncio.Condition` (CPython documentation of 3.13, "Synchronization Primitives").
One difference, within what is documented: a waiter that is cancelled before it was notified wakes nobody; CPython
3.13 wakes one in any case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

from .locks import Gate, Lock
from .waiters import wake, woken

T = TypeVar("T")


class Condition(Gate):
    """A condition variable (asyncio.Condition) over `lock`; by default it makes a lock of its own."""

    __slots__ = ("_lock",)

    def __init__(self, lock: Lock | None = None) -> None:
        super().__init__()
        self._lock = Lock() if lock is None else lock

    def locked(self) -> bool:
        """Whether somebody holds its lock."""
        return self._lock.locked()

    async def acquire(self) -> Literal[True]:
        """Take its lock; waits while it is held."""
        return await self._lock.acquire()

    def release(self) -> None:
        """Free its lock.

        Raises:
            RuntimeError: nobody holds it.
        """
        self._lock.release()

    async def wait(self) -> Literal[True]:
        """Give the lock back, wait until notified, take the lock again.  It may return unnotified (COND-2).

        Raises:
            RuntimeError: nobody holds the lock (COND-3).
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
            if woken(waiter):
                wake(self._waiters, 1, True)
            raise
        return True

    async def _take_again(self) -> None:
        """Take the lock, put off every cancel until it is held, and raise the last of them."""
        assert self._loop is not None  # somebody has waited
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
        """Wait until `predicate()` is true, and return what it gave; it is called with the lock held (COND-7).

        Raises:
            RuntimeError: it is not true at once, and nobody holds the lock.
        """
        while not (result := predicate()):
            await self.wait()
        return result

    def notify(self, n: int = 1) -> None:
        """Wake the n oldest waiters, or all, if there are fewer; they go on when the lock is free again.

        Raises:
            RuntimeError: nobody holds the lock (COND-3).
        """
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        wake(self._waiters, n, True)

    def notify_all(self) -> None:
        """Wake all who wait; raises as `notify`."""
        self.notify(len(self._waiters))
