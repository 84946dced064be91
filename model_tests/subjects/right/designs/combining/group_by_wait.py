"""A task group that keeps its children in order, waits by asyncio.wait, and gives the results as a list.

The documentation says how a group ends and which errors it raises, but not how it waits; `results` is an
extra.
"""

from __future__ import annotations

import asyncio

from ..combining_base import GroupBase


class TaskGroup(GroupBase):
    def _stop(self) -> None:
        self._stopping = True
        for task in list(self._live):
            task.cancel()

    def _failed(self) -> None:
        if not self._stopping:
            self._stop()
        if not self._leaving and not self._pulled and self._parent is not None:
            self._pulled = True
            self._parent.cancel()

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        assert self._parent is not None
        self._leaving = True
        stop = error if isinstance(error, asyncio.CancelledError) else None
        if self._pulled and self._parent.uncancel() <= self._asked:
            stop = None
        if error is not None and not self._stopping:
            self._stop()
        while self._live:
            try:
                await asyncio.wait(self._live)
            except asyncio.CancelledError as outside:
                stop = outside
                self._stop()
        self._over = True
        if error is not None and not isinstance(error, asyncio.CancelledError):
            self._errors.append(error)
        self._raise_errors()
        if stop is not None and stop is not error:
            raise stop
