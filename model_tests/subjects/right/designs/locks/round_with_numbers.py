"""A barrier whose round is a list of futures: the last party hands out the numbers and a new round opens.

The documentation asks for a different number for each task, but neither for this order nor for a time of
draining.
"""

from __future__ import annotations

import asyncio
from types import TracebackType


class Barrier:
    def __init__(self, parties: int) -> None:
        if parties < 1:
            raise ValueError("parties must be >= 1")
        self._parties = parties
        self._broken = False
        self._round: list[asyncio.Future[int]] = []

    @property
    def parties(self) -> int:
        return self._parties

    @property
    def n_waiting(self) -> int:
        return sum(not place.done() for place in self._round)

    @property
    def broken(self) -> bool:
        return self._broken

    def _close_round(self) -> list[asyncio.Future[int]]:
        places, self._round = self._round, []
        return [place for place in places if not place.done()]

    def _fail_round(self) -> None:
        for place in self._close_round():
            place.set_exception(asyncio.BrokenBarrierError("barrier was broken or reset"))

    async def wait(self) -> int:
        if self._broken:
            raise asyncio.BrokenBarrierError("barrier is broken")
        if self.n_waiting == self._parties - 1:
            for number, place in enumerate(self._close_round(), 1):
                place.set_result(number)
            return 0
        place = asyncio.get_running_loop().create_future()
        self._round.append(place)
        try:
            number = await place
        finally:
            if place in self._round:
                self._round.remove(place)
        if self._broken:
            raise asyncio.BrokenBarrierError("barrier is broken")
        return number

    async def reset(self) -> None:
        self._broken = False
        self._fail_round()

    async def abort(self) -> None:
        self._broken = True
        self._fail_round()

    async def __aenter__(self) -> int:
        return await self.wait()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None
