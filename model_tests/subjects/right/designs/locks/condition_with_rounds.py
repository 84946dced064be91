"""A barrier on a condition; each round is an object of its own, and numbers are given out on leaving.

The documentation leaves the order of the tasks that leave free, and the number that each of them gets.
"""

from __future__ import annotations

import asyncio

from ..lock_base import BarrierBase


class _Round:
    def __init__(self) -> None:
        self.came, self.left, self.state = 0, 0, "filling"


class Barrier(BarrierBase):
    def __init__(self, parties: int) -> None:
        super().__init__(parties)
        self._round, self._change = _Round(), asyncio.Condition()

    @property
    def n_waiting(self) -> int:
        return self._round.came

    def _end_round(self, good: bool) -> None:
        self._round.state, self._round = "open" if good else "broken", _Round()
        self._change.notify_all()

    async def _meet(self) -> int | None:
        async with self._change:
            if self._broken:
                return None
            mine = self._round
            mine.came += 1
            if mine.came == self._parties:
                self._end_round(True)
            try:
                await self._change.wait_for(lambda: mine.state != "filling")
            except asyncio.CancelledError:
                mine.came -= 1
                raise
            if mine.state == "broken" or self._broken:
                return None
            mine.left += 1
            return mine.left - 1

    async def reset(self) -> None:
        async with self._change:
            await super().reset()

    async def abort(self) -> None:
        async with self._change:
            await super().abort()
