"""A base for conditions; each says how its `notify` wakes, and what `wait` does afterwards."""

import asyncio
from collections.abc import Iterable

from . import lock_base


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


class ConditionOfWaiters(lock_base.ConditionBase[Waiter]):
    """A condition that may wake its waiters although they are not notified."""

    async def _place(self) -> Waiter:
        return Waiter()

    async def _sleep(self, place: Waiter) -> None:
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

    def chosen(self, waiters: list[Waiter], n: int) -> list[Waiter]:
        """Return the waiters to notify, of those that can be."""
        return waiters[:n]

    def woken(self, waiters: list[Waiter]) -> Iterable[Waiter]:
        """Return the waiters to wake."""
        return [waiter for waiter in waiters if waiter.notified]
