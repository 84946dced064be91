"""A lock that calls the head of the line one turn after a release, and a condition on top of it.

The documentation leaves free when a waiter goes on, and when wait takes the lock again.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from ..lock_base import ConditionBase, LockBase


class Lock(LockBase):
    def __init__(self) -> None:
        self._line: dict[asyncio.Future[None], None] = {}

    def _call_head(self) -> None:
        for head in self._line:
            if not self._locked and not head.done():
                head.set_result(None)
            break

    def _freed(self) -> None:
        for head in self._line:
            head.get_loop().call_soon(self._call_head)
            break

    async def acquire(self) -> Literal[True]:
        if self._locked or self._line:
            turn = asyncio.get_running_loop().create_future()
            self._line[turn] = None
            try:
                await turn
            except asyncio.CancelledError:
                del self._line[turn]
                self._freed()
                raise
            del self._line[turn]
        self._locked = True
        return True


class Condition(ConditionBase[asyncio.Event]):
    def __init__(self, lock: Any = None) -> None:
        super().__init__(Lock() if lock is None else lock)

    async def _place(self) -> asyncio.Event:
        return asyncio.Event()

    async def _sleep(self, place: asyncio.Event) -> None:
        await place.wait()

    def _wake(self, place: asyncio.Event) -> None:
        place.set()
