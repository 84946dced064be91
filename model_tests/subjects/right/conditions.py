"""A base for the conditions of this package; each says how its `notify` wakes, and how `wait` goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from .designs import lock_base


class ConditionWaiter:
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


class SpuriousCondition(lock_base.ConditionBase[ConditionWaiter]):
    """A condition that may wake waiters although they are not notified."""

    async def _place(self) -> ConditionWaiter:
        return ConditionWaiter()

    async def _sleep(self, place: ConditionWaiter) -> None:
        await place.wait()

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("notify without the lock")
        waiters = [*self._line]
        for waiter in self.chosen([each for each in waiters if not each.future.cancelled()], max(n, 0)):
            waiter.notified = True
            self._line.remove(waiter)
        for waiter in self.woken(waiters):
            waiter.wake()

    def chosen(self, waiters: list[ConditionWaiter], n: int) -> list[ConditionWaiter]:
        """Return the waiters to notify, of those that can be."""
        return waiters[:n]

    def woken(self, waiters: list[ConditionWaiter]) -> Iterable[ConditionWaiter]:
        """Return the waiters to wake."""
        return [waiter for waiter in waiters if waiter.notified]
