"""Each waiter has a number; notify lifts a mark, rings all, and those below the mark go on.

The documentation says how many tasks notify wakes and leaves free how it finds them.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

from ..lock_base import ConditionBase


class Condition(ConditionBase[int]):
    def __init__(self, lock: Any = None) -> None:
        super().__init__(lock)
        self._numbers, self._mark, self._bell = count(1), 0, asyncio.Event()

    async def _place(self) -> int:
        return next(self._numbers)

    async def _sleep(self, place: int) -> None:
        while place > self._mark:
            await self._bell.wait()

    def _wake(self, place: int) -> None:
        self._mark = place
        self._bell.set()
        self._bell = asyncio.Event()
