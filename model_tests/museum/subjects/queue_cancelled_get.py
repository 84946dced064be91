"""QUEUE-27: a get that is cancelled takes an item with it, if there is one."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    async def get(self: Any) -> Any:
        try:
            return await super().get()
        except asyncio.CancelledError:
            if not self.empty():
                self.get_nowait()
            raise
