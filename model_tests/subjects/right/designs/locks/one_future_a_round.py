"""A barrier with one shared future a round; the last to come does not pause at all.

The documentation says that each task gets another number and leaves free which one.
"""

from __future__ import annotations

import asyncio

from ..lock_base import BarrierBase


class Barrier(BarrierBase):
    def __init__(self, parties: int) -> None:
        super().__init__(parties)
        self._here: list[object] = []
        self._opened: asyncio.Future[bool] | None = None

    @property
    def n_waiting(self) -> int:
        return len(self._here)

    def _end_round(self, good: bool) -> None:
        opened, self._opened, self._here = self._opened, None, []
        if opened is not None:
            opened.set_result(good)

    async def _meet(self) -> int | None:
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
        return here.index(me) if good else None
