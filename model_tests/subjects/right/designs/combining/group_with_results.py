"""A task group that wakes at each end of a task while it leaves, and keeps the results in order.

The documentation leaves free how the group waits; results is an addition it does not forbid.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class TaskGroup:
    def __init__(self) -> None:
        self._all: list[asyncio.Task[Any]] = []
        self._running: set[asyncio.Task[Any]] = set()
        self._errors: list[BaseException] = []
        self._parent: asyncio.Task[Any] | None = None
        self._stopping = self._leaving = self._struck = self._over = False
        self._bell = asyncio.Event()

    @property
    def results(self) -> list[Any]:
        return [task.result() for task in self._all]

    def create_task(self, coro: Coroutine[Any, Any, Any], **kwargs: Any) -> asyncio.Task[Any]:
        if self._parent is None or self._over or self._stopping or (self._leaving and not self._running):
            coro.close()
            raise RuntimeError("the task group is not active")
        task = asyncio.get_running_loop().create_task(coro, **kwargs)
        self._all.append(task)
        self._running.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        self._bell.set()
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._errors.append(error)
            self.cancel()

    def cancel(self) -> None:
        first, self._stopping = not self._stopping, True
        if first and self._parent is not None and not self._over:
            for task in self._running:
                task.cancel()
            if not self._leaving:
                self._struck = True
                self._parent.cancel()

    async def __aenter__(self) -> TaskGroup:
        task = asyncio.current_task()
        if self._parent is not None or task is None:
            raise RuntimeError("a task group is entered once, and inside a task")
        self._parent, self._before = task, task.cancelling()
        if self._stopping:
            self._struck = True
            task.cancel()
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        assert self._parent is not None
        self._leaving = True
        cancelled = error if isinstance(error, asyncio.CancelledError) else None
        if error is not None:
            self._errors += [error] if cancelled is None else []
            self.cancel()
        if self._struck:
            if cancelled is None:  # take up the request before it can strike after the block
                try:
                    await asyncio.sleep(0)
                except asyncio.CancelledError as late:
                    cancelled = late
            if self._parent.uncancel() <= self._before:
                cancelled = None
        while self._running:
            self._bell.clear()
            try:
                await self._bell.wait()
            except asyncio.CancelledError as outer:
                cancelled = outer
                self.cancel()
        self._over = True
        if self._errors:
            if self._parent.cancelling() > self._before:
                self._parent.uncancel()
                self._parent.cancel()
            for one in self._errors:
                if isinstance(one, (KeyboardInterrupt, SystemExit)):
                    raise one
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors)
        if cancelled is not None and cancelled is not error:
            raise cancelled
        return cancelled is None
