"""A released permit goes from hand to hand: straight to the first waiter, past the counter.

The documentation says release "can wake up a task waiting" and leaves free whom the permit belongs to then.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Literal

from ..lock_base import Bounded, SemaphoreBase


class Semaphore(SemaphoreBase):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._line: deque[asyncio.Future[None]] = deque()

    async def acquire(self) -> Literal[True]:
        if self._free:
            self._free -= 1
            return True
        hand = asyncio.get_running_loop().create_future()
        self._line.append(hand)
        try:
            await hand
        except asyncio.CancelledError:
            if not hand.cancelled():
                self._give()
            raise
        return True

    def _give(self) -> None:
        while self._line:
            hand = self._line.popleft()
            if not hand.done():
                hand.set_result(None)
                return
        self._free += 1

    def release(self) -> None:
        self._give()


class BoundedSemaphore(Bounded, Semaphore):
    """The semaphore with a bound."""
