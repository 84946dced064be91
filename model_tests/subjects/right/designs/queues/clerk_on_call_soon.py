"""A queue with a clerk: after each change a callback of the next turn counts items and wakes as many waiters.

The documentation does not say when a waiter goes on, so the wake-up may come a turn later.
"""

from __future__ import annotations

import asyncio
from itertools import islice

from ..queue_base import QueueBase, QueueShutDown, Side, T, wake

__all__ = ["Queue", "QueueShutDown"]

Line = dict[object, "asyncio.Future[None]"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._getters, self._putters = Line(), Line()

    def _changed(self, side: Side | None = None) -> None:
        for waiter in islice((w for line in (self._getters, self._putters) for w in line.values()), 1):
            waiter.get_loop().call_soon(self._serve)

    def _closed(self) -> None:
        self._changed()

    def _serve(self) -> None:
        room = None if self._down or self.maxsize <= 0 else max(0, self.maxsize - len(self._items))
        for line, count in ((self._getters, None if self._down else len(self._items)), (self._putters, room)):
            for waiter in islice(line.values(), count):
                wake(waiter)

    async def _until(self, side: Side) -> None:
        line, place = self._putters if side == "room" else self._getters, object()
        try:
            while self._blocked(side):
                line[place] = asyncio.get_running_loop().create_future()  # a second time at the same place
                await line[place]
        finally:
            line.pop(place, None)
            self._changed()
