"""Wrong barriers: indexes, cycles, and what abort() and reset() do to waiters."""

from __future__ import annotations

import asyncio
from typing import Any

from ._parts import Barrier


class OneIndexForAll(Barrier):
    """A barrier whose wait() returns 0 to every task but the last.

    Breaks asyncio-sync, Barrier.wait(): "returns an integer in the range of 0 to parties-1, different for each task."
    """

    async def wait(self) -> int:
        index: int = await super().wait()
        return index if index == self.parties - 1 else 0


class OpensOnce(Barrier):
    """A barrier that stays open after its first cycle.

    Breaks asyncio-sync, Barrier: "The barrier can be reused any number of times."
    """

    _opened = False

    async def wait(self) -> int:
        if self._opened:
            return 0
        index: int = await super().wait()
        self._opened = True
        return index


class AbortLetsWaitersSleep(Barrier):
    """A barrier whose abort() fails later calls, and leaves tasks that wait already.

    Breaks asyncio-sync, Barrier.abort(): "This causes any active or future calls to wait() to fail with the
    BrokenBarrierError."
    """

    async def abort(self) -> None:
        waiters, self._cond._waiters = self._cond._waiters, type(self._cond._waiters)()
        await super().abort()
        self._cond._waiters = waiters


class ResetLetsWaitersPass(Barrier):
    """A barrier whose reset() lets waiting tasks pass without an error.

    Breaks asyncio-sync, Barrier.reset(): "Any tasks waiting on it will receive the BrokenBarrierError exception."
    """

    async def wait(self) -> int:
        try:
            return int(await super().wait())
        except asyncio.BrokenBarrierError:
            if self.broken:
                raise
            return 0


class ResetLeavesItBroken(Barrier):
    """A barrier that stays broken after reset().

    Breaks asyncio-sync, Barrier.reset(): "Return the barrier to the default, empty state."
    """

    async def reset(self) -> None:
        if not self.broken:
            await super().reset()


class CancelBreaksIt(Barrier):
    """A barrier that is broken when one of its waiting tasks is cancelled.

    Breaks asyncio-sync, Barrier.wait(): "When a waiting or blocked task in the barrier is cancelled, this task exits
    the barrier which stays in the same state."
    """

    async def wait(self) -> int:
        try:
            return int(await super().wait())
        except asyncio.CancelledError:
            await self.abort()
            raise


class EntersWithoutIndex(Barrier):
    """A barrier whose `async with` yields the barrier instead of the index.

    Breaks asyncio-sync, Barrier.wait(): "async with barrier as position" gives the value of wait().
    """

    async def __aenter__(self) -> Any:
        await self.wait()
        return self
