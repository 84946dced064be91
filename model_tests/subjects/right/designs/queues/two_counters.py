"""Two counters, one of items and one of free places, which may be passed by a newcomer.

The documentation does not say that getters are served in turn, so a newcomer may pass a woken getter.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque

from ..queue_base import QueueBase, QueueShutDown, Side, T, wake

__all__ = ["Queue", "QueueShutDown"]


class _Counter:
    def __init__(self, value: float) -> None:
        self.value, self.open = value, True
        self.waiters: deque[asyncio.Future[None]] = deque()

    def add(self, count: float) -> None:
        self.value += count
        self.wake(1 if count > 0 else 0)

    def wake(self, count: float) -> None:
        while count > 0 and self.waiters:
            count -= wake(self.waiters.popleft())

    async def positive(self) -> None:
        while self.open and not self.value:
            waiter = asyncio.get_running_loop().create_future()
            self.waiters.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                self.wake(self.value)
                raise


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._counters = {"item": _Counter(0), "room": _Counter(maxsize if maxsize > 0 else math.inf)}

    def empty(self) -> bool:
        return not self._counters["item"].value

    def full(self) -> bool:
        return not self._counters["room"].value

    async def _until(self, side: Side) -> None:
        await self._counters[side].positive()

    def _changed(self, side: Side) -> None:
        self._counters[side].add(1)

    def _add(self, item: T) -> None:
        self._counters["room"].add(-1)
        super()._add(item)

    def _remove(self) -> T:
        self._counters["item"].add(-1)
        return super()._remove()

    def _closed(self) -> None:
        for counter in self._counters.values():
            counter.open = False
            counter.wake(math.inf)
