"""A condition: every waiter sleeps on a second acquire of its own private lock, as in threading.

The documentation says how many tasks notify() wakes, and leaves free how they wait.
"""

from __future__ import annotations

import asyncio

from ..lock_base import ConditionBase


class Condition(ConditionBase[asyncio.Lock]):
    async def _place(self) -> asyncio.Lock:
        bed = asyncio.Lock()
        await bed.acquire()  # free, so this does not wait
        return bed

    async def _sleep(self, place: asyncio.Lock) -> None:
        await place.acquire()

    def _wake(self, place: asyncio.Lock) -> None:
        place.release()
