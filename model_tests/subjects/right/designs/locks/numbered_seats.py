"""A barrier with numbered seats: each task takes the highest free seat and waits on a future of its own.

The documentation gives the range of the numbers and leaves free which task gets which.
"""

from __future__ import annotations

import asyncio


class Barrier:
    def __init__(self, parties: int) -> None:
        if parties < 1:
            raise ValueError("a barrier needs one party or more")
        self._parties, self._broken = parties, False
        self._seats: dict[int, asyncio.Future[bool]] = {}

    @property
    def parties(self) -> int:
        return self._parties

    @property
    def n_waiting(self) -> int:
        return sum(not future.cancelled() for future in self._seats.values())

    @property
    def broken(self) -> bool:
        return self._broken

    def _end_round(self, good: bool) -> None:
        seats, self._seats = self._seats, {}
        for future in seats.values():
            if not future.done():
                future.set_result(good)

    async def wait(self) -> int:
        if self._broken:
            raise asyncio.BrokenBarrierError("the barrier is broken")
        self._seats = {seat: future for seat, future in self._seats.items() if not future.cancelled()}
        seat = max(number for number in range(self._parties) if number not in self._seats)
        mine = self._seats[seat] = asyncio.get_running_loop().create_future()
        if len(self._seats) == self._parties:
            self._end_round(True)
        if not await mine or self._broken:
            raise asyncio.BrokenBarrierError("the barrier was broken or reset")
        return seat

    async def reset(self) -> None:
        self._broken = False
        self._end_round(False)

    async def abort(self) -> None:
        self._broken = True
        self._end_round(False)

    async def __aenter__(self) -> int:
        return await self.wait()

    async def __aexit__(self, *exc: object) -> None:
        return None
