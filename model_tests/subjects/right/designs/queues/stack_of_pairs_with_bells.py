"""A last-in-first-out queue as nested pairs (item, rest), with a fresh Event as a bell for each change.

The documentation says which item comes first, but neither how items are kept nor how waiters are woken.
"""

from __future__ import annotations

import asyncio
from typing import Any

from ..queue_base import QueueBase, QueueShutDown, Side, T

__all__ = ["LifoQueue", "QueueShutDown"]


class LifoQueue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._top: tuple[Any, Any] | None = None
        self._size, self._bell = 0, asyncio.Event()

    def qsize(self) -> int:
        return self._size

    def _add(self, item: T) -> None:
        self._top = (item, self._top)
        self._size += 1

    def _remove(self) -> T:
        assert self._top is not None
        item: T = self._top[0]
        self._top = self._top[1]
        self._size -= 1
        return item

    def _changed(self, side: Side) -> None:
        bell, self._bell = self._bell, asyncio.Event()
        bell.set()

    async def _wait(self, side: Side) -> None:
        await self._bell.wait()
