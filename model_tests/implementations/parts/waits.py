"""A right condition that waits in steps of its own."""

import asyncio
from typing import Literal

from .asyncios import Condition, reacquire, wait_in_line


class OwnWait(Condition):
    """A right condition with a wait() of its own, in parts that the classes below replace."""

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
