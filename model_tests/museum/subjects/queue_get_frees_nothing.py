"""QUEUE-21: a get makes room, and wakes no putter."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def get_nowait(self: Any) -> Any:
        if self.empty():
            raise asyncio.QueueEmpty
        return self._get()
