"""A barrier with one shared future a round; the last to come does not pause at all.

The documentation says that each task gets another number and leaves free which one.
"""

from __future__ import annotations

import asyncio


class Barrier:
    def __init__(self, parties: int) -> None:
        if parties < 1:
            raise ValueError("a barrier needs one party or more")
        self._parties, self._broken = parties, False
        self._here: list[object] = []
        self._opened: asyncio.Future[bool] | None = None

    @property
    def parties(self) -> int:
        return self._parties

    @property
    def n_waiting(self) -> int:
        return len(self._here)

    @property
    def broken(self) -> bool:
        return self._broken

    def _end_round(self, good: bool) -> None:
        opened, self._opened, self._here = self._opened, None, []
        if opened is not None:
            opened.set_result(good)

    async def wait(self) -> int:
        if self._broken:
            raise asyncio.BrokenBarrierError("the barrier is broken")
        me, here = object(), self._here
        here.append(me)
        if len(here) == self._parties:
            self._end_round(True)
            return here.index(me)
        opened = self._opened = self._opened or asyncio.get_running_loop().create_future()
        try:
            good = await asyncio.shield(opened)
        except asyncio.CancelledError:
            if not opened.done():
                here.remove(me)
            raise
        if not good or self._broken:
            raise asyncio.BrokenBarrierError("the barrier was broken or reset")
        return here.index(me)

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
