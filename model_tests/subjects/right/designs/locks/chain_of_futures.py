"""A lock as a chain: each newcomer waits on the future of the one before.

The documentation says "the first coroutine that started waiting" goes first and leaves the means free.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from ..lock_base import AsyncAcquired


class Lock(AsyncAcquired):
    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None
        self._holder: asyncio.Future[None] | None = None

    def locked(self) -> bool:
        return self._holder is not None

    async def acquire(self) -> Literal[True]:
        before, mine = self._last, asyncio.get_running_loop().create_future()
        self._last = mine
        if before is not None and not before.done():
            try:
                await asyncio.shield(before)
            except asyncio.CancelledError:
                before.add_done_callback(lambda _: mine.set_result(None))
                raise
        self._holder = mine
        return True

    def release(self) -> None:
        if self._holder is None:
            raise RuntimeError("the lock is not acquired")
        holder, self._holder = self._holder, None
        holder.set_result(None)
