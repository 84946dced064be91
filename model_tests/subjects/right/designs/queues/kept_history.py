"""A list that only grows and a reading mark; every waiter has an event of its own.

The documentation does not say that a queue forgets an item that was taken, so history holds them all.
"""

from __future__ import annotations

import asyncio

from ..queue_base import QueueBase, QueueShutDown, Side, T

__all__ = ["Queue", "QueueShutDown"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self.history: list[T] = []
        self._mark = 0
        self._lines: dict[Side, list[asyncio.Event]] = {"item": [], "room": []}

    async def _wait(self, side: Side) -> None:
        event, line = asyncio.Event(), self._lines[side]
        line.append(event)
        try:
            await event.wait()
        except asyncio.CancelledError:
            if event in line:
                line.remove(event)
            else:
                self._changed(side)
            raise

    def _changed(self, side: Side) -> None:
        if line := self._lines[side]:
            line.pop(0).set()

    def _closed(self) -> None:
        for side, line in self._lines.items():
            while line:
                self._changed(side)

    def qsize(self) -> int:
        return len(self.history) - self._mark

    def _add(self, item: T) -> None:
        self.history.append(item)

    def _remove(self) -> T:
        self._mark += 1
        return self.history[self._mark - 1]
