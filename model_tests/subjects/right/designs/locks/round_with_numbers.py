"""A barrier with a list of futures for each round: the last party hands out the numbers and a new round opens.

The documentation asks for a different number for each task, but neither for this order nor for a time of
draining.
"""

from __future__ import annotations

import asyncio

from ..lock_base import BarrierBase


class Barrier(BarrierBase):
    def __init__(self, parties: int) -> None:
        super().__init__(parties)
        self._round: list[asyncio.Future[int | None]] = []

    @property
    def n_waiting(self) -> int:
        return sum(not place.done() for place in self._round)

    def _end_round(self, good: bool) -> None:
        places, self._round = self._round, []
        for number, place in enumerate((place for place in places if not place.done()), 1):
            place.set_result(number if good else None)

    async def _meet(self) -> int | None:
        if self.n_waiting == self._parties - 1:
            self._end_round(True)
            return 0
        place: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._round.append(place)
        try:
            return await place
        finally:
            if place in self._round:
                self._round.remove(place)
