"""A queue with a turnstile at each end: only the holder of the end's lock waits for items or for room.

The documentation does not say how several waiting getters or putters stand in line, so they may stand at a
Lock.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ..queue_base import SIDES, QueueBase, QueueShutDown, Side, T

__all__ = ["Queue", "QueueShutDown"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._ends: dict[Side, Any] = {side: asyncio.Lock() for side in SIDES}
        self._flags = {side: asyncio.Event() for side in SIDES}

    async def put(self, item: T) -> None:
        async with self._ends["room"]:
            await super().put(item)

    async def get(self) -> T:
        async with self._ends["item"]:
            return await super().get()

    async def _wait(self, side: Side) -> None:
        self._flags[side].clear()
        await self._flags[side].wait()

    def _changed(self, side: Side) -> None:
        self._flags[side].set()
