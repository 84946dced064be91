"""Getters and putters draw tickets, and one that must wait again keeps its old ticket.

The documentation does not say which waiter is first; here it is the one that has waited longest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from heapq import heappop, heappush
from itertools import count

from ..queue_base import SIDES, QueueBase, QueueShutDown, Side, T, wake

__all__ = ["Queue", "QueueShutDown"]


class _Line:
    def __init__(self, blocked: Callable[[], bool]) -> None:
        self.blocked, self.tickets = blocked, count()
        self.heap: list[tuple[int, asyncio.Future[None]]] = []

    def wake(self) -> None:
        while self.heap and not wake(heappop(self.heap)[1]):
            pass

    async def stand(self) -> None:
        ticket = next(self.tickets)
        while self.blocked():
            waiter = asyncio.get_running_loop().create_future()
            heappush(self.heap, (ticket, waiter))
            try:
                await waiter
            except asyncio.CancelledError:
                if not self.blocked():
                    self.wake()
                raise


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._lines = {side: _Line(partial(self._blocked, side)) for side in SIDES}

    async def _until(self, side: Side) -> None:
        await self._lines[side].stand()

    def _changed(self, side: Side) -> None:
        self._lines[side].wake()

    def _closed(self) -> None:
        for line in self._lines.values():
            while line.heap:
                line.wake()
