"""QUEUE-2: a queue holds one item more than maxsize."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def full(self: Any) -> bool:
        return bool(0 < self._maxsize < self.qsize())
