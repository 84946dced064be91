"""Wrong queues: which item leaves first, and how many there is room for."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from typing import Any

from impl.sync.queue import LifoQueue, PriorityQueue, Queue, Storage

from .mutant import breaks

#: A queue of any items, and an item.
AnyQueue = Queue[Any]
Item = Any


@breaks("QUEUE-2", "contract: maxsize")
class QueueHoldsOneMore(AnyQueue):
    """There is room for one item more than maxsize."""

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize + 1 if maxsize > 0 else maxsize)


@breaks("QUEUE-1", "contract: first in, first out")
class QueueNewestItemFirst(AnyQueue):
    """The newest item leaves first."""

    def get_nowait(self) -> Item:
        self._items.rotate(1)
        return super().get_nowait()


@breaks("QUEUE-25", "contract: put_nowait() of a full queue is refused")
class QueuePutDropsOldest(AnyQueue):
    """put_nowait() of a full queue drops the oldest item."""

    def put_nowait(self, item: Item) -> None:
        if self.full():
            self._take()
        super().put_nowait(item)


@breaks("QUEUE-28", "contract: last in, first out")
class LifoOldestFirst(LifoQueue[Any]):
    """The oldest item leaves first."""

    def _storage(self) -> Storage[Item]:
        return Queue._storage(self)


@breaks("QUEUE-29", "contract: the least item leaves first")
class PriorityIgnoresOrder(PriorityQueue[Any]):
    """The newest item leaves first, whatever its priority."""

    def _storage(self) -> Storage[Item]:
        items: list[Item] = []
        return items, items.append, items.pop


@breaks("QUEUE-29", "contract: entries are compared as a whole")
class PriorityIgnoresTies(PriorityQueue[Any]):
    """Entries of one priority leave in the order in which they came."""

    def _storage(self) -> Storage[Item]:
        items: list[tuple[Any, int, Item]] = []
        numbers = count()

        def add(item: Item) -> None:
            heappush(items, (item[0] if isinstance(item, tuple) else item, next(numbers), item))

        return items, add, lambda: heappop(items)[2]
