"""A task group that wakes at each end of a task while it leaves, and keeps the results in order.

The documentation leaves free how the group waits; results is an addition it does not forbid.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Self

from ..combining_base import GroupBase


class TaskGroup(GroupBase):
    def __init__(self) -> None:
        super().__init__()
        self._bell = asyncio.Event()

    def _closed(self) -> bool:
        return super()._closed() or (self._leaving and not self._live)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._bell.set()
        super()._ended(task)

    def _failed(self) -> None:
        self.cancel()

    def create_task(self, coro: Coroutine[Any, Any, Any], **options: Any) -> asyncio.Task[Any]:
        task = super().create_task(coro, **options)
        if self._stopping and not task.done():  # an eager task that cancelled the group
            task.cancel()
        return task

    def cancel(self) -> None:
        first, self._stopping = not self._stopping, True
        if first and self._parent is not None and not self._over:
            for task in self._live:
                task.cancel()
            if not self._leaving:
                self._pulled = True
                self._parent.cancel()

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        if self._stopping and self._parent is not None:
            self._pulled = True
            self._parent.cancel()
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        assert self._parent is not None
        self._leaving = True
        cancelled = error if isinstance(error, asyncio.CancelledError) else None
        if error is not None:
            self._errors += [error] if cancelled is None else []
            self.cancel()
        if self._pulled:
            try:  # take up the request before it can strike after the block
                await asyncio.sleep(0)
            except asyncio.CancelledError as late:
                cancelled = late
            if self._parent.uncancel() <= self._asked:
                cancelled = None
        while self._live:
            self._bell.clear()
            try:
                await self._bell.wait()
            except asyncio.CancelledError as outer:
                cancelled = outer
                self.cancel()
        self._over = True
        self._raise_errors()
        if cancelled is not None and cancelled is not error:
            raise cancelled
        return cancelled is None
