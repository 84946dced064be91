"""Wrong asyncio.Queue, LifoQueue and PriorityQueue: lost wake-ups, lost items, order, sizes, join()."""

from __future__ import annotations

import asyncio
from typing import Any

_LifoQueue: Any = asyncio.LifoQueue


class LifoQueueWithANegativeSize(_LifoQueue):
    """Only the size 0 is taken as infinite: a queue with a negative maxsize is always full.

    Breaks "If maxsize is less than or equal to zero, the queue size is infinite." (asyncio-queue.html, Queue)
    """

    def full(self) -> bool:
        return bool(self.maxsize and self.qsize() >= self.maxsize)
