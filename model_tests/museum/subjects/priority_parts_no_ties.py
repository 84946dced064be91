"""QUEUE-29: entries of one priority leave a PriorityQueue in the order in which they came."""

from __future__ import annotations

import asyncio
from heapq import heappop, heappush
from itertools import count
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class PriorityQueue(asyncio.PriorityQueue[Any]):
    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self._count = count()

    def _put(self, item: Any, *rest: Any) -> None:
        first = item[0] if isinstance(item, tuple) else item
        heappush(vars(self)["_queue"], (first, next(self._count), item))

    def _get(self, *rest: Any) -> Any:
        return heappop(vars(self)["_queue"])[2]
