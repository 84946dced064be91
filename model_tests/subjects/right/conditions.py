"""A base for the conditions of this package; each says how its `notify` wakes, and what `wait` does afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeVar

T = TypeVar("T")


class Waiter:
    """A task that waits on a condition; it may be woken without being notified, and then waits again."""

    notified = False
    future: asyncio.Future[None]

    async def wait(self) -> None:
        while not self.notified:
            self.future = asyncio.get_running_loop().create_future()
            await self.future

    def wake(self) -> None:
        if not self.future.done():
            self.future.set_result(None)


class ConditionBase:
    """A condition on a list of waiters; a waiter that is notified but then fails passes its notification on."""

    def __init__(self, lock: Any = None) -> None:
        # Any: a lock of the caller's may be of any class that has asyncio's interface.
        self._lock: Any = asyncio.Lock() if lock is None else lock
        self._waiters: list[Waiter] = []
        self.acquire, self.release, self.locked = self._lock.acquire, self._lock.release, self._lock.locked

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        self.release()

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("notify without the lock")
        able = [each for each in self._waiters if not each.notified and not each.future.cancelled()]
        for waiter in self.chosen(able, max(n, 0)):
            waiter.notified = True
        for waiter in self.woken(self._waiters):
            waiter.wake()

    def notify_all(self) -> None:
        self.notify(len(self._waiters))

    def chosen(self, waiters: list[Waiter], n: int) -> list[Waiter]:
        """Return the waiters to notify, of those that can be."""
        return waiters[:n]

    def woken(self, waiters: list[Waiter]) -> Iterable[Waiter]:
        """Return the waiters to wake."""
        return [waiter for waiter in waiters if waiter.notified]

    async def afterwards(self) -> None:
        """Run in `wait` when the lock was acquired again."""

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("wait without the lock")
        waiter = Waiter()
        self.release()
        try:
            try:
                self._waiters.append(waiter)
                await waiter.wait()
            finally:
                self._waiters.remove(waiter)
                await self._reacquire()
            await self.afterwards()
        except BaseException:
            if waiter.notified:
                self.notify(1)
            raise
        return True

    async def _reacquire(self) -> None:
        """Acquire the lock, come what may; raise then the last cancel that arrived meanwhile."""
        cancelled: asyncio.CancelledError | None = None
        while True:
            try:
                await self.acquire()
                break
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        while not (result := predicate()):
            await self.wait()
        return result
