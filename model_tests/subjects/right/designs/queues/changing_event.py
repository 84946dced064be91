"""Each change rings one shared event, which is then replaced, and every waiter looks again.

The documentation says "wait until an item is available"; it leaves free whom a change wakes.
"""

from __future__ import annotations

import asyncio

from ..queue_base import QueueBase, QueueShutDown, Side, T

__all__ = ["Queue", "QueueShutDown"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._bell = asyncio.Event()

    async def _wait(self, side: Side) -> None:
        await self._bell.wait()

    def _changed(self, side: Side) -> None:
        self._bell.set()
        self._bell = asyncio.Event()
