"""The functions and classes that differ in versions before CPython 3.13 (versions.py), made from ours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import GeneratorType
from typing import Any, Self

from ...combinators import as_completed as completion
from ...combinators import taskgroup
from ...combinators import timeout as timeouts
from ...combinators import wait as waiting
from ...tasks.future import CANCELLED, RESULT
from .futures import Task
from .host import by_name
from .versions import PINNED

# Any in this file: as in as_completed.py, taskgroup.py and wait.py.


_as_completed = by_name(completion.as_completed)


class _AsCompleted:
    """An iterator that reads its arguments at its first step."""

    def __init__(self, fs: Iterable[Any], *, timeout: float | None = None) -> None:
        self._arguments = fs, timeout
        self._steps: completion.AsCompleted[Any] | None = None

    def _begun(self) -> completion.AsCompleted[Any]:
        if self._steps is None:
            fs, timeout = self._arguments
            self._steps = _as_completed(fs, timeout=timeout)
        return self._steps

    def __iter__(self) -> Self:
        return self

    def __aiter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return next(self._begun())

    async def __anext__(self) -> Any:
        return await anext(self._begun())


class _TaskGroup(taskgroup.TaskGroup):
    __slots__ = ()

    @staticmethod
    def _decline(coro: Any) -> None:
        """Leave it to the caller."""


class _Shown(Task):
    """The task that all_tasks shows for a coroutine that actually runs in its caller's task."""

    def _begin_now(self, loop: Any) -> None:
        """Do nothing: this task never runs by itself."""

    async def result_of(self, coro: Any) -> Any:
        """Run `coro` in the caller's task, and end with its outcome."""
        try:
            result = await coro
        except BaseException:
            self._end(CANCELLED, None)
            raise
        self._end(RESULT, result)
        return result


async def _wait_for(fut: Any, timeout: float | None) -> Any:
    if timeout is None or timeout <= 0 or isinstance(fut, GeneratorType):
        return await waiting.wait_for(fut, timeout)
    if asyncio.iscoroutine(fut):
        fut = _Shown(fut, eager_start=True).result_of(fut)
    caller = asyncio.current_task()
    assert caller is not None
    before = caller.cancelling()
    async with timeouts.timeout(timeout) as limit:
        result = await fut
        if limit.expired() and caller.cancelling() > before + 1:  # more than the timeout's own
            raise asyncio.CancelledError
    return result


as_completed = _AsCompleted if PINNED["as_completed begins late"] else _as_completed
TaskGroup = _TaskGroup if PINNED["a refused coroutine stays open"] else taskgroup.TaskGroup
wait_for = _wait_for if PINNED["wait_for shows a task of its own"] else waiting.wait_for
