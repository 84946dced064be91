"""A condition that wakes the newest waiter first, by one future for each.

The documentation says how many of the waiting tasks notify wakes; it leaves free which ones.
"""

from __future__ import annotations

import asyncio

from ..lock_base import ConditionBase


class Condition(ConditionBase["asyncio.Future[None]"]):
    async def _place(self) -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    async def _sleep(self, place: asyncio.Future[None]) -> None:
        await place

    def _wake(self, place: asyncio.Future[None]) -> None:
        place.set_result(None)

    def _next(self, n: int) -> list[asyncio.Future[None]]:
        return [place for place in reversed(self._line) if not place.done()][:n]
