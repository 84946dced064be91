"""A barrier of dominoes: the last to come rings the one before, which rings the one before it as it leaves.

The documentation says "an integer in the range of 0 to parties-1, different for each task"; here the order of leaving
decides.
"""

from __future__ import annotations

import asyncio


class Round:
    def __init__(self) -> None:
        self.line: list[asyncio.Event] = []
        self.over = self.broken = False


class Barrier:
    def __init__(self, parties: int) -> None:
        if parties < 1:
            raise ValueError("a barrier needs a party")
        self._parties, self._round, self._aborts, self._broken = parties, Round(), 0, False

    parties = property(lambda self: self._parties)
    broken = property(lambda self: self._broken)
    n_waiting = property(lambda self: len(self._round.line))

    async def wait(self) -> int:
        if self._broken:
            raise asyncio.BrokenBarrierError
        now, me, aborts = self._round, asyncio.Event(), self._aborts
        now.line.append(me)
        try:
            if len(now.line) == self._parties:
                now.over, self._round = True, Round()
            else:
                await me.wait()
        finally:
            now.line.remove(me)
            if now.over and now.line:
                now.line[-1].set()
        if now.broken or aborts != self._aborts:
            raise asyncio.BrokenBarrierError
        return len(now.line)

    async def _break(self, broken: bool) -> None:
        now, self._round, self._broken = self._round, Round(), broken
        now.over = now.broken = True
        if now.line:
            now.line[-1].set()

    async def reset(self) -> None:
        await self._break(False)

    async def abort(self) -> None:
        self._aborts += 1
        await self._break(True)

    async def __aenter__(self) -> int:
        return await self.wait()

    async def __aexit__(self, *error: object) -> None:
        pass
