"""A task group that waits for an event of idleness, and tells cancels apart by the count of requests at its entry.

The documentation says "Once all tasks have finished", but not how a group learns of that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class TaskGroup:
    def __init__(self) -> None:
        self._parent: asyncio.Task[Any] | None = None
        self._tasks: dict[asyncio.Task[Any], None] = {}
        self._errors: list[BaseException] = []
        self._idle = asyncio.Event()
        self._stopped = self._leaving = self._finished = self._called = False

    async def __aenter__(self) -> TaskGroup:
        if self._parent is not None:
            raise RuntimeError("the group was entered before")
        self._parent = asyncio.current_task()
        assert self._parent is not None
        self._before = self._parent.cancelling()
        return self

    def create_task(self, coro: Coroutine[Any, Any, T], **options: Any) -> asyncio.Task[T]:
        if self._parent is None or self._finished or self._stopped:
            coro.close()
            raise RuntimeError("the group takes no tasks now")
        task: asyncio.Task[T] = asyncio.get_running_loop().create_task(coro, **options)
        self._tasks[task] = None
        task.add_done_callback(self._ended)
        return task

    def _stop(self) -> None:
        self._stopped = True
        for task in list(self._tasks):
            task.cancel()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        del self._tasks[task]
        if not self._tasks:
            self._idle.set()
        if task.cancelled() or (error := task.exception()) is None:
            return
        self._errors.append(error)
        assert self._parent is not None
        if not self._stopped:
            self._stop()
            if not self._leaving:
                self._called = self._parent.cancel()

    def _requested(self) -> bool:
        assert self._parent is not None
        return self._parent.cancelling() > self._before

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        assert self._parent is not None
        self._leaving = True
        if self._called:
            self._parent.uncancel()
        outside = error if isinstance(error, asyncio.CancelledError) else None
        if self._called and not self._requested():
            outside = None
        if error is not None and not self._stopped:
            self._stop()
        while self._tasks:
            self._idle.clear()
            try:
                await self._idle.wait()
            except asyncio.CancelledError as cancelled:
                if self._requested() or not self._called:
                    outside = cancelled
                    self._stop()
        self._finished = True
        errors, self._errors = self._errors, []
        try:
            if error is not None and not isinstance(error, asyncio.CancelledError):
                errors.insert(0, error) if isinstance(
                    error, KeyboardInterrupt | SystemExit
                ) else errors.append(error)
            for one in errors:
                if isinstance(one, KeyboardInterrupt | SystemExit):
                    raise one
            if errors:
                if outside is not None and self._requested():
                    self._parent.uncancel()
                    self._parent.cancel()
                raise BaseExceptionGroup("errors in a task group", errors)
            if outside is not None:
                raise outside
        finally:
            del error, outside, errors
