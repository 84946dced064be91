"""A real Condition, which a helper task notifies because put_nowait cannot wait for the lock.

The documentation leaves free how many turns of the loop a wake-up takes.
"""

from __future__ import annotations

import asyncio

from ..queue_base import QueueBase, QueueShutDown, Side, T

__all__ = ["Queue", "QueueShutDown"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._change, self._waiting = asyncio.Condition(), 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._helpers: set[asyncio.Task[None]] = set()

    async def _notify(self) -> None:
        async with self._change:
            self._change.notify_all()

    def _changed(self, side: Side | None = None) -> None:
        if self._waiting and self._loop is not None:
            helper = self._loop.create_task(self._notify())
            self._helpers.add(helper)
            helper.add_done_callback(self._helpers.discard)

    def _closed(self) -> None:
        self._changed()

    async def _wait(self, side: Side) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting += 1
        try:
            async with self._change:
                await self._change.wait_for(lambda: not self._blocked(side))
        finally:
            self._waiting -= 1
