"""asyncio's functions that make sets of their arguments, in an order that is the same in every run.

Tasks of a simulated loop hash by number (tasks.py), so sets of tasks have one order.  Two functions of asyncio use sets
of other things: `all_tasks` a WeakSet, and `as_completed` a set of coroutines, which hash by address.  The replacements
here behave as the originals on any other loop.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from ..simulated_loop import simulated_loop

#: A coroutine, a future or another awaitable, and the object that asyncio makes of it.
Given: TypeAlias = Any

_all_tasks: Final[Callable[..., Given]] = asyncio.all_tasks
_as_completed: Final[Callable[..., Given]] = asyncio.as_completed


def all_tasks(loop: Given = None) -> set[asyncio.Task[Given]]:
    """asyncio.all_tasks, with a set built in order of creation."""
    if loop is None:
        loop = asyncio.get_running_loop()
    if not getattr(loop, "is_simulated", False):
        tasks: set[asyncio.Task[Given]] = _all_tasks(loop)
        return tasks
    return {task for task in loop.live if not task.done()}


def as_completed(fs: Iterable[Given], *, timeout: float | None = None) -> Given:
    """asyncio.as_completed, which makes its tasks in the order of the given awaitables."""
    if simulated_loop() is None or asyncio.isfuture(fs) or asyncio.iscoroutine(fs):
        return _as_completed(fs, timeout=timeout)  # the original also refuses a single awaitable
    if sys.version_info < (3, 13):
        return _lazily(fs, timeout)
    return _as_completed(_tasks_of(fs), timeout=timeout)


def _lazily(fs: Iterable[Given], timeout: float | None) -> Iterator[Given]:
    """As the generator of Python 3.11 and 3.12, which makes its tasks at the first `next`."""
    yield from _as_completed(_tasks_of(fs), timeout=timeout)


def _tasks_of(fs: Iterable[Given]) -> list[asyncio.Future[Given]]:
    return [asyncio.ensure_future(each) for each in dict.fromkeys(fs)]
