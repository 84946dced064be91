"""QUEUE-18: a putter that is cancelled after its wake-up does not pass it on."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Queue(asyncio.Queue[Any]):
    async def put(self: Any, item: Any) -> None:
        while self.full():
            putter = asyncio.get_running_loop().create_future()
            self._putters.append(putter)
            try:
                await putter
            except BaseException:
                if putter in self._putters:
                    self._putters.remove(putter)
                raise
        self.put_nowait(item)
