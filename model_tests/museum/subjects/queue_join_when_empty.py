"""QUEUE-6: a join is released as soon as the queue is empty."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def get_nowait(self: Any) -> Any:
        item = super().get_nowait()
        if self.empty():
            self._finished.set()
        return item
