"""QUEUE-25: put_nowait() on a full queue drops the oldest item."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    def put_nowait(self: Any, item: Any) -> None:
        if self.full():
            self._get()
        super().put_nowait(item)
