"""A lock with numbered tickets: each change wakes all waiters, and the lowest number goes in.

The documentation asks that the first waiter goes first; it leaves free how many are woken to look.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Literal


class Lock:
    def __init__(self) -> None:
        self._numbers, self._locked = count(1), False
        self._standing: list[int] = []
        self._board = asyncio.Event()

    def locked(self) -> bool:
        return self._locked

    def _change(self) -> None:
        self._board.set()
        self._board = asyncio.Event()

    async def acquire(self) -> Literal[True]:
        number = next(self._numbers)
        self._standing.append(number)
        try:
            while self._locked or self._standing[0] != number:
                await self._board.wait()
        except asyncio.CancelledError:
            self._standing.remove(number)
            self._change()
            raise
        self._standing.remove(number)
        self._locked = True
        return True

    def release(self) -> None:
        if not self._locked:
            raise RuntimeError("the lock is not acquired")
        self._locked = False
        self._change()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()
