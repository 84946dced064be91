"""Wrong conditions: notifications, the lock, and predicates."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal

from ._parts import Condition, reacquire, wait_in_line


class NotifiesAllButTheLast(Condition):
    """A condition whose notify_all() leaves the newest of several waiters asleep.

    Breaks asyncio-sync, Condition.notify_all(): "Wake up all tasks waiting on this condition."
    """

    def notify_all(self) -> None:
        self.notify(max(1, len(self._waiters) - 1))


class _OwnWait(Condition):
    """A right condition whose wait() is written anew, in parts that the classes below replace."""

    async def wait(self) -> Literal[True]:
        self._check()
        self.release()
        try:
            await wait_in_line(self._waiters)
        except asyncio.CancelledError:
            await self._after_cancel()
            raise
        await self._reacquire()
        return True

    def _check(self) -> None:
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")

    async def _after_cancel(self) -> None:
        await self._reacquire()

    async def _reacquire(self) -> None:
        await reacquire(self)


class CancelledWithoutTheLock(_OwnWait):
    """A condition whose cancelled wait() does not acquire the lock again.

    Breaks the source, Condition.wait(): "Must re-acquire lock even if wait is cancelled"; asyncio-sync: "Once awakened,
    the Condition re-acquires its lock."
    """

    async def _after_cancel(self) -> None:
        return


class SwallowsCancels(_OwnWait):
    """A condition whose wait() swallows a cancel that arrives while it acquires the lock again.

    Breaks asyncio-task, "Task Cancellation": "asyncio.CancelledError [...] should generally be propagated when clean-up
    is complete."
    """

    async def _reacquire(self) -> None:
        while True:
            try:
                await self.acquire()
                return
            except asyncio.CancelledError:
                continue


class WaitsUnlocked(_OwnWait):
    """A condition whose wait() does not need the lock.

    Breaks asyncio-sync, Condition.wait(): "If the calling task has not acquired the lock when this method is called, a
    RuntimeError is raised."
    """

    def _check(self) -> None:
        if not self.locked():
            self._lock._locked = True


class LooksAtThePredicateTwice(Condition):
    """A condition whose wait_for() returns after the first wake-up, whatever the predicate says then.

    Breaks asyncio-sync, Condition.wait_for(): "Wait until a predicate becomes true.  The predicate must be a callable
    which result will be interpreted as a boolean value.  The method will repeatedly wait() until the predicate
    evaluates to true."
    """

    async def wait_for(self, predicate: Callable[[], Any]) -> Any:
        if not (result := predicate()):
            await self.wait()
            result = predicate()
        return result
