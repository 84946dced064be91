"""A task group that keeps its children in order, waits by asyncio.wait, and gives the results as a list.

The documentation says how a group ends and which errors it raises, but not how it waits; `results` is an
extra.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import Coroutine
from types import TracebackType
from typing import Any


class TaskGroup:
    def __init__(self) -> None:
        self._parent: asyncio.Task[Any] | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self._live: set[asyncio.Task[Any]] = set()
        self._errors: list[BaseException] = []
        self._leaving = self._stopping = self._closed = self._pulled = False

    @property
    def results(self) -> list[Any]:
        return [task.result() for task in self._tasks]

    async def __aenter__(self) -> TaskGroup:
        if self._parent is not None:
            raise RuntimeError("TaskGroup has already been entered")
        self._parent = asyncio.current_task()
        if self._parent is None:
            raise RuntimeError("TaskGroup cannot determine the parent task")
        self._asked = self._parent.cancelling()
        return self

    def create_task(
        self,
        coro: Coroutine[Any, Any, Any],
        *,
        name: str | None = None,
        context: contextvars.Context | None = None,
        **options: Any,
    ) -> asyncio.Task[Any]:
        if self._parent is None or self._stopping or self._closed:
            coro.close()
            raise RuntimeError("TaskGroup is not entered, or is shutting down, or is finished")
        loop = self._parent.get_loop()
        task = loop.create_task(coro, name=name, context=context, **options)
        self._tasks.append(task)
        self._live.add(task)
        task.add_done_callback(self._ended)
        return task

    def _stop(self) -> None:
        self._stopping = True
        for task in list(self._live):
            task.cancel()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._live.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        self._errors.append(error)
        if not self._stopping:
            self._stop()
        if not self._leaving and not self._pulled and self._parent is not None:
            self._pulled = True
            self._parent.cancel()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        self._closed = True
        if error is not None and not isinstance(error, asyncio.CancelledError):
            self._errors.append(error)
        for failure in self._errors:
            if isinstance(failure, (KeyboardInterrupt, SystemExit)):
                raise failure
        if not self._errors:
            if stop is not None and stop is not error:
                raise stop
            return
        # cancelled from outside too: the next await shall raise it (uncancel() takes it back since 3.13)
        if sys.version_info >= (3, 13) and self._parent.cancelling() > self._asked:
            self._parent.uncancel()
            self._parent.cancel()
        raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors) from None
