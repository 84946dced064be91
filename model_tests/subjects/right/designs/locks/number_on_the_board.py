"""A fair lock with numbers: each release changes the board for all, and only the lowest number goes in.

The documentation asks that the first task that waited proceeds, but not that only this task is woken.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Literal

from ..lock_base import LockBase


class Lock(LockBase):
    def __init__(self) -> None:
        self._numbers = count()
        self._line: dict[int, None] = {}  # numbers of those that wait, lowest first
        self._board: asyncio.Future[None] | None = None

    def _freed(self) -> None:
        board, self._board = self._board, None
        if board is not None and not board.done():
            board.set_result(None)

    async def acquire(self) -> Literal[True]:
        number = next(self._numbers)
        self._line[number] = None
        loop = asyncio.get_running_loop()
        try:
            while self._locked or next(iter(self._line)) != number:
                if self._board is None or self._board.get_loop() is not loop:
                    self._board = loop.create_future()
                await asyncio.wait([self._board])  # a cancelled waiter leaves the board to the others
            self._locked = True
        finally:
            del self._line[number]
            if not self._locked:
                self._freed()  # gone away while the lock is free: the next one shall look
        return True
