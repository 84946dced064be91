"""LifoQueue and PriorityQueue: the queue, with its items in another order.

Theory of operation.  Each says where its items lie, how one is added and how the next is taken; bound, waiting,
counting and shutdown are those of `Queue`, so no subclass can forget them (asyncio#235: a put that did not count).

Names and meanings are those of `asyncio` (CPython documentation of 3.13, "Queues").
"""

from __future__ import annotations

from functools import partial
from heapq import heappop, heappush
from typing import Any, TypeVar

from .queue import Queue, Storage

T = TypeVar("T")


class LifoQueue(Queue[T]):
    """A queue whose newest item leaves first (QUEUE-28; asyncio.LifoQueue); parameters as Queue."""

    __slots__ = ()

    def _storage(self) -> Storage[T]:
        items: list[T] = []
        return items, items.append, items.pop


class PriorityQueue(Queue[T]):
    """A queue whose least item leaves first (QUEUE-29; asyncio.PriorityQueue); parameters as Queue.

    Items must be comparable by `<`; they are often tuples (priority, number, data).
    """

    __slots__ = ()

    def _storage(self) -> Storage[T]:
        items: list[Any] = []  # Any: that T can be compared is the caller's affair, as in asyncio
        return items, partial(heappush, items), partial(heappop, items)
