"""QUEUE-27: a put that is cancelled after its wake-up puts its item nevertheless."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    async def put(self: Any, item: Any) -> None:
        try:
            await super().put(item)
        except asyncio.CancelledError:
            if not self.full():
                self.put_nowait(item)
            raise
