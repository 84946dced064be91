"""A barrier on a condition; each round is an object of its own, and numbers are given out on leaving.

The documentation leaves free in which order the tasks leave and which number each of them gets.
"""

from __future__ import annotations

import asyncio


class _Round:
    def __init__(self) -> None:
        self.came, self.left, self.state = 0, 0, "filling"


class Barrier:
    def __init__(self, parties: int) -> None:
        if parties < 1:
            raise ValueError("a barrier needs one party or more")
        self._parties, self._broken = parties, False
        self._round, self._change = _Round(), asyncio.Condition()

    @property
    def parties(self) -> int:
        return self._parties

    @property
    def n_waiting(self) -> int:
        return self._round.came

    @property
    def broken(self) -> bool:
        return self._broken

    def _end_round(self, state: str) -> None:
        self._round.state, self._round = state, _Round()
        self._change.notify_all()

    async def wait(self) -> int:
        async with self._change:
            if self._broken:
                raise asyncio.BrokenBarrierError("the barrier is broken")
            mine = self._round
            mine.came += 1
            if mine.came == self._parties:
                self._end_round("open")
            try:
                await self._change.wait_for(lambda: mine.state != "filling")
            except asyncio.CancelledError:
                mine.came -= 1
                raise
            if mine.state == "broken" or self._broken:
                raise asyncio.BrokenBarrierError("the barrier was broken or reset")
            mine.left += 1
            return mine.left - 1

    async def reset(self) -> None:
        async with self._change:
            self._broken = False
            self._end_round("broken")

    async def abort(self) -> None:
        async with self._change:
            self._broken = True
            self._end_round("broken")

    async def __aenter__(self) -> int:
        return await self.wait()

    async def __aexit__(self, *exc: object) -> None:
        return None
