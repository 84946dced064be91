"""A barrier with numbered seats: each task takes the highest free seat and waits on a future of its own.

The documentation gives the range of the numbers and leaves free which task gets which.
"""

from __future__ import annotations

import asyncio

from ..lock_base import BarrierBase


class Barrier(BarrierBase):
    def __init__(self, parties: int) -> None:
        super().__init__(parties)
        self._seats: dict[int, asyncio.Future[bool]] = {}

    @property
    def n_waiting(self) -> int:
        return sum(not future.cancelled() for future in self._seats.values())

    def _end_round(self, good: bool) -> None:
        seats, self._seats = self._seats, {}
        for future in seats.values():
            if not future.done():
                future.set_result(good)

    async def _meet(self) -> int | None:
        self._seats = {seat: future for seat, future in self._seats.items() if not future.cancelled()}
        seat = max(number for number in range(self._parties) if number not in self._seats)
        mine = self._seats[seat] = asyncio.get_running_loop().create_future()
        if len(self._seats) == self._parties:
            self._end_round(True)
        return seat if await mine else None
