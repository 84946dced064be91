"""EVENT-2: wait() on an event that is set gives up the turn."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Event(asyncio.Event):
    async def wait(self) -> Any:
        if self.is_set():
            await asyncio.sleep(0)
        return await super().wait()
