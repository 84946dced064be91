"""EVENT-4: a waiter that was woken waits again if the event was cleared meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Event(asyncio.Event):
    async def wait(self) -> Any:
        while not self.is_set():
            await super().wait()
        return True
