"""QUEUE-29: a PriorityQueue keeps no order among what was put."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class PriorityQueue(asyncio.PriorityQueue[Any]):
    def _put(self, item: Any, *rest: Any) -> None:
        vars(self)["_queue"].insert(0, item)
