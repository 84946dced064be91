"""A wrong queue: it has room for one item more than maxsize, which breaks QUEUE-2.

loopspec conform model_tests/examples/subjects/queue_holds_one_more.py
"""

from __future__ import annotations

import asyncio
from typing import Any

# Any: items are anything, and typeshed does not know the private names of asyncio.Queue.


class Queue(asyncio.Queue[Any]):
    def full(self: Any) -> bool:
        return bool(0 < self._maxsize < self.qsize())
