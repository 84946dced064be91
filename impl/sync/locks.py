"""Lock, Semaphore and Event: permits that pass from task to task, and a flag that lets all tasks through.

1.  A task that finds no permit waits in a wait queue, oldest first (LOCK-10).  Its waiter stays there until the task
    runs again, so a newcomer sees that it is not the first and queues behind (LOCK-1, SEM-2).  A permit is free,
    held, or on its way to a waiter (LOCK-6); a lock has just one (LOCK-7).
2.  `Lock.release` (LOCK-2) frees the lock and wakes the first waiter, which acquires the lock when it next runs.  No
    other task can acquire it before, because newcomers queue behind.
3.  `Semaphore.release` hands over: the permit belongs to the woken waiter from the wake-up on.  When a waiter resumes,
    it offers other free permits to the next waiters, which may have queued up beside them (LOCK-3).
4.  A waiter may be cancelled between its wake-up and its run (LOCK-4).  It leaves the wait queue; a free lock wakes
    the next waiter, a permit that was handed over is freed and offered to the next (LOCK-5).  Hence the rule that all
    others rest on: no task waits beside a free permit, unless a woken task will offer the permit when it runs
    (LOCK-8).
5.  An event is a level, not a permit: `set` wakes all waiters (EVENT-1), and they return even if it is cleared before
    they run (EVENT-4).

Names and meanings are those of `asyncio` (CPython documentation of 3.15, "Synchronization Primitives").  One named
difference: any error that is thrown into a waiter passes its wake-up on, not CancelledError alone.
"""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import Literal

from ..interfaces import Waiter
from .waiters import Bound, wake, woken


class LockBase(Bound):
    """A primitive for `async with`: acquire on entry, release on exit."""

    __slots__ = ("_waiters",)

    def __init__(self) -> None:
        super().__init__()
        self._waiters: deque[Waiter] = deque()

    def locked(self) -> bool:
        """Whether acquire would wait."""
        raise NotImplementedError

    async def acquire(self) -> Literal[True]:
        raise NotImplementedError

    def release(self) -> None:
        raise NotImplementedError

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _state(self) -> str:
        return "locked" if self.locked() else "unlocked"

    def _about(self) -> str:
        return f"{self._state()}, waiters:{len(self._waiters)}" if self._waiters else self._state()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} [{self._about()}]>"


class Lock(LockBase):
    """A mutual exclusion lock for tasks (asyncio.Lock); it does not record its holder."""

    __slots__ = ("_locked",)

    def __init__(self) -> None:
        super().__init__()
        self._locked = False

    def locked(self) -> bool:
        """Whether a task holds it."""
        return self._locked

    async def acquire(self) -> Literal[True]:
        """Take the lock; wait while it is held or others wait for it.  A cancelled acquire holds nothing."""
        if self._locked or not all(waiter.cancelled() for waiter in self._waiters):
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            except BaseException:
                self._waiters.remove(waiter)
                if not self._locked:
                    self._knock()
                raise
            self._waiters.remove(waiter)
        self._locked = True
        return True

    def release(self) -> None:
        """Free the lock and wake the oldest waiter.

        Raises:
            RuntimeError: it is not held; nothing changes (LOCK-9).
        """
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        self._knock()

    def _knock(self) -> None:
        """Wake the first waiter.  If it is woken or cancelled already, it wakes the next one when it runs, if
        need be.
        """
        if self._waiters and not self._waiters[0].done():
            self._waiters[0].set_result(True)


class Semaphore(LockBase):
    """A number of permits for tasks (asyncio.Semaphore); `value`, at least 0, is the initial number.

    Raises:
        ValueError: `value` is negative (SEM-1).
    """

    __slots__ = ("_value",)

    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        super().__init__()
        self._value = value

    def locked(self) -> bool:
        """Whether acquire would wait: no permit is free, or others wait for one (SEM-2)."""
        return self._value == 0 or not all(waiter.cancelled() for waiter in self._waiters)

    async def acquire(self) -> Literal[True]:
        """Take a permit; wait while none is free or others wait.  A cancelled acquire has taken none."""
        if not self.locked():
            self._value -= 1
            return True
        waiter = self._join_line(self._waiters)
        try:
            await waiter
        except BaseException:
            if woken(waiter):
                self._value += 1
            raise
        finally:
            self._waiters.remove(waiter)
            while self._value > 0 and self._hand_over():
                pass
        return True

    def release(self) -> None:
        """Free a permit, or add one; the oldest waiter gets it."""
        self._value += 1
        self._hand_over()

    def _hand_over(self) -> bool:
        """Give a free permit to the oldest pending waiter; return whether there is one."""
        for waiter in self._waiters:
            if not waiter.done():
                self._value -= 1
                waiter.set_result(True)
                return True
        return False

    def _state(self) -> str:
        return "locked" if self.locked() else f"unlocked, value:{self._value}"


class BoundedSemaphore(Semaphore):
    """A semaphore that never has more free permits than initially (asyncio.BoundedSemaphore); parameters as there."""

    __slots__ = ("_bound",)

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._bound = value

    def release(self) -> None:
        """Free a permit.

        Raises:
            ValueError: as many permits are free as initially; nothing changes (SEM-3).
        """
        if self._value >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()


class Event(Bound):
    """A flag that tasks wait for (asyncio.Event); initially it is not set."""

    __slots__ = ("_set", "_waiters")

    def __init__(self) -> None:
        super().__init__()
        self._waiters: deque[Waiter] = deque()
        self._set = False

    def is_set(self) -> bool:
        """Whether the flag is set."""
        return self._set

    def set(self) -> None:
        """Set the flag and wake all waiters (EVENT-1); no effect if it is set."""
        if not self._set:
            self._set = True
            wake(self._waiters, len(self._waiters), True)

    def clear(self) -> None:
        """Clear the flag: later calls of `wait` wait for the next `set` (EVENT-3)."""
        self._set = False

    async def wait(self) -> Literal[True]:
        """Wait until the flag is set; return at once, without suspending, if it is (EVENT-2)."""
        if not self._set:
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        return True

    def _about(self) -> str:
        state = "set" if self._set else "unset"
        return f"{state}, waiters:{len(self._waiters)}" if self._waiters else state

    def __repr__(self) -> str:
        return f"<{type(self).__name__} [{self._about()}]>"
