"""as_completed by asyncio.wait: a step waits for the first of the rest, then takes the oldest end of a list.

The documentation says that each step gives the next end and raises TimeoutError, but not that a queue
carries the ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from ..combining_base import EndsBase


class _Ends(EndsBase):
    def __init__(self, futures: list[asyncio.Future[Any]], timeout: float | None) -> None:
        super().__init__(len(futures))
        loop = asyncio.get_running_loop()
        self._time = loop.time
        self._deadline = None if timeout is None else loop.time() + timeout
        self._rest = set(futures)
        self._ends: list[asyncio.Future[Any]] = []
        for future in futures:
            if future.done():
                self._ended(future)
            else:
                future.add_done_callback(self._ended)

    def _ended(self, future: asyncio.Future[Any]) -> None:
        self._rest.discard(future)
        if self._deadline is None or self._time() < self._deadline:
            self._ends.append(future)

    async def _next_end(self, step: int) -> asyncio.Future[Any]:
        while not self._ends:
            left = None if self._deadline is None else self._deadline - self._time()
            if not self._rest or (left is not None and left <= 0):
                raise TimeoutError
            await asyncio.wait(self._rest, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        return self._ends.pop(0)


def as_completed(aws: Iterable[Any], *, timeout: float | None = None) -> _Ends:
    if asyncio.isfuture(aws) or asyncio.iscoroutine(aws):
        raise TypeError(f"expect an iterable of futures, not {type(aws).__name__}")
    return _Ends([asyncio.ensure_future(aw) for aw in dict.fromkeys(aws)], timeout)
