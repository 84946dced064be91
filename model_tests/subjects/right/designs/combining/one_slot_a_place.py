"""One future for each place in the order of ending; a child that ends fills the next free one.

The documentation leaves free how the order is kept; it asks for a plain and an asynchronous iterator.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

from ..combining_base import EndsBase

_Slot = asyncio.Future[Any]


class _Places(EndsBase):
    def __init__(self, futures: set[asyncio.Future[Any]], timeout: float | None) -> None:
        super().__init__(len(futures))
        self._slots: list[_Slot] = [one.get_loop().create_future() for one in futures]
        self._filled = 0
        self._ended_ones: set[asyncio.Future[Any]] = set()
        self._futures, self._timer = futures, None if timeout is None or not futures else timeout
        for one in futures:
            one.add_done_callback(self._fill)
        if self._timer is not None:
            self._handle = self._slots[0].get_loop().call_later(self._timer, self._expire)

    def _fill(self, ended: asyncio.Future[Any] | None) -> None:
        if self._filled == len(self._slots):
            return
        if ended is not None:
            self._ended_ones.add(ended)
        self._slots[self._filled].set_result(ended)
        self._filled += 1
        if self._filled == len(self._slots) and self._timer is not None:
            self._handle.cancel()

    def _expire(self) -> None:
        for one in self._futures:
            if one.remove_done_callback(self._fill) == 0 and one not in self._ended_ones:
                self._fill(one)
        while self._filled < len(self._slots):
            self._fill(None)

    async def _next_end(self, step: int) -> asyncio.Future[Any]:
        ended: asyncio.Future[Any] | None = await asyncio.shield(self._slots[step])
        if ended is None:
            raise TimeoutError
        return ended


def as_completed(fs: Iterable[Any], *, timeout: float | None = None) -> _Places:
    if asyncio.isfuture(fs) or isinstance(fs, Coroutine):
        raise TypeError("an iterable of awaitables is needed, not one of them")
    return _Places({asyncio.ensure_future(one) for one in set(fs)}, timeout)
