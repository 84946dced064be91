"""A ring buffer that doubles when it is full; only the head of each line is rung, and rings the next on leaving.

The documentation says "If queue is empty, wait until an item is available", but not how many tasks an item wakes.
"""

from __future__ import annotations

import asyncio

from ..queue_ledger import Ledger, T


class Queue(Ledger[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._slots: list[T | None] = [None]
        self._start = self._count = 0
        self._lines: tuple[list[asyncio.Event], list[asyncio.Event]] = ([], [])

    def qsize(self) -> int:
        return self._count

    def _add(self, item: T) -> None:
        if self._count == len(self._slots):
            self._slots = self._slots[self._start :] + self._slots[: self._start] + [None] * self._count
            self._start = 0
        self._slots[(self._start + self._count) % len(self._slots)] = item
        self._count += 1

    def _take(self) -> T:
        item, self._slots[self._start] = self._slots[self._start], None
        self._start, self._count = (self._start + 1) % len(self._slots), self._count - 1
        return item  # type: ignore[return-value]

    def _changed(self) -> None:
        for end, line in enumerate(self._lines):
            if line and self._open(end):
                line[0].set()

    async def _pause(self, end: int) -> None:
        bell = asyncio.Event()
        self._lines[end].append(bell)
        try:
            await bell.wait()
        finally:
            self._lines[end].remove(bell)
            self._changed()
