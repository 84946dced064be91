"""Lock, Semaphore and Event: permits that one task passes to another, and a flag that lets all through.

Theory of operation.
1.  Who finds no permit waits in a line, oldest first (LOCK-10), and stays in it until its task runs again: so who
    comes in between sees that somebody is before it, and queues behind (LOCK-1, SEM-2).  A permit is free, held, or
    on its way to one of them (LOCK-6); a lock has just one (LOCK-7).
2.  A lock *knocks*: release (LOCK-2) makes it free and wakes the head of the line, who takes it when it runs.
    Nobody else can have taken it by then, since newcomers queue behind.
3.  A semaphore *hands over*: the permit goes with the wake-up, and is in nobody's hands but the woken's.  Who
    resumes offers on what else is free, for others may have queued behind it beside a free permit (LOCK-3).
4.  Between wake-up and run the woken may be cancelled (LOCK-4).  It leaves the line; a lock that is free knocks
    at the next, a permit in the hand goes back and is offered to the next (LOCK-5).  Hence what everything stands
    on: nobody waits beside a free permit unless somebody is on the way who will offer it on (LOCK-8).
5.  An event is a level, no permit: `set` wakes all who wait (EVENT-1), and they return even if it is cleared before
    they run (EVENT-4).

Names and meanings are those of `asyncio` (CPython documentation of 3.13, "Synchronization Primitives").  One
difference, named: an error of any kind that is thrown into a waiter hands its wake-up on, not CancelledError alone.
"""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import Literal

from ..interfaces import Waiter
from .waiters import Bound, wake, woken


class Gate(Bound):
    """What may be held by `async with`: acquire on entry, release on exit."""

    __slots__ = ("_waiters",)

    def __init__(self) -> None:
        super().__init__()
        self._waiters: deque[Waiter] = deque()

    def locked(self) -> bool:
        """Whether acquire would have to wait."""
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


class Lock(Gate):
    """A mutual exclusion lock for tasks (asyncio.Lock); it does not know who holds it."""

    __slots__ = ("_locked",)

    def __init__(self) -> None:
        super().__init__()
        self._locked = False

    def locked(self) -> bool:
        """Whether somebody holds it."""
        return self._locked

    async def acquire(self) -> Literal[True]:
        """Take the lock; waits while it is held, or while others wait for it.  A cancelled acquire holds nothing."""
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
            RuntimeError: nobody holds it; nothing changes (LOCK-9).
        """
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        self._knock()

    def _knock(self) -> None:
        """Wake the head of the line.  One that is woken, or cancelled, is on its way, and knocks on if need be."""
        if self._waiters and not self._waiters[0].done():
            self._waiters[0].set_result(True)


class Semaphore(Gate):
    """A number of permits for tasks (asyncio.Semaphore); `value`, at least 0, is how many there are at first.

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
        """Whether acquire would have to wait: no permit is free, or others wait for one (SEM-2)."""
        return self._value == 0 or not all(waiter.cancelled() for waiter in self._waiters)

    async def acquire(self) -> Literal[True]:
        """Take a permit; waits while none is free, or others came first.  A cancelled acquire has taken none."""
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
        """Give a permit back, or add one; the oldest waiter gets it."""
        self._value += 1
        self._hand_over()

    def _hand_over(self) -> bool:
        """Give a free permit to the oldest who waits and was not given one; says whether there is any such."""
        for waiter in self._waiters:
            if not waiter.done():
                self._value -= 1
                waiter.set_result(True)
                return True
        return False

    def _state(self) -> str:
        return "locked" if self.locked() else f"unlocked, value:{self._value}"


class BoundedSemaphore(Semaphore):
    """A semaphore that never has more free permits than at first (asyncio.BoundedSemaphore); parameters as there."""

    __slots__ = ("_bound",)

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._bound = value

    def release(self) -> None:
        """Give a permit back.

        Raises:
            ValueError: as many are free as there were at first; nothing changes (SEM-3).
        """
        if self._value >= self._bound:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()


class Event(Bound):
    """A flag that tasks wait for (asyncio.Event); at first it is not set."""

    __slots__ = ("_set", "_waiters")

    def __init__(self) -> None:
        super().__init__()
        self._waiters: deque[Waiter] = deque()
        self._set = False

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        """Set the flag and wake all who wait (EVENT-1); no effect if it is set."""
        if not self._set:
            self._set = True
            wake(self._waiters, len(self._waiters), True)

    def clear(self) -> None:
        """Unset the flag: who comes from now on waits for the next `set` (EVENT-3)."""
        self._set = False

    async def wait(self) -> Literal[True]:
        """Wait until the flag is set; returns at once, without giving up the turn, if it is (EVENT-2)."""
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
