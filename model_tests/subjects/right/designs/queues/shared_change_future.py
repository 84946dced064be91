"""A queue on one shared future of change: every change wakes all waiters, and each looks again.

The documentation says that put() and get() wait for a free slot or an item, but not whom a change wakes.
"""

from __future__ import annotations

import asyncio

from ..queue_base import QueueBase, QueueShutDown, Side, T, wake

__all__ = ["Queue", "QueueShutDown"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._change: asyncio.Future[None] | None = None
        self._zeros = 0  # times that no item was left unfinished

    def _changed(self, side: Side | None = None) -> None:
        change, self._change = self._change, None
        if change is not None:
            wake(change)

    async def _wait(self, side: Side | None = None) -> None:
        loop = asyncio.get_running_loop()
        if self._change is None or self._change.get_loop() is not loop:
            self._change = loop.create_future()
        await asyncio.wait([self._change])  # a cancelled waiter leaves the shared future alone

    def task_done(self) -> None:
        super().task_done()
        self._zeros += not self._unfinished
        self._changed()

    async def join(self) -> None:
        zeros = self._zeros
        while self._unfinished and self._zeros == zeros:
            await self._wait()
