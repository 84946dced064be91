"""Tasks are entered in a register of the living, so that none is lost while it runs.

The documentation asks the user to keep a reference; it leaves free whether another keeps one, too.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Coroutine
from typing import Any

living: set[asyncio.Future[Any]] = set()


async def _await(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


def _enter(loop: asyncio.AbstractEventLoop, coro: Any, kwargs: dict[str, Any]) -> asyncio.Task[Any]:
    task = loop.create_task(coro, **kwargs)
    living.add(task)
    task.add_done_callback(living.discard)
    return task


def create_task(coro: Coroutine[Any, Any, Any], **kwargs: Any) -> asyncio.Task[Any]:
    return _enter(asyncio.get_running_loop(), coro, kwargs)


def ensure_future(
    coro_or_future: Any, *, loop: asyncio.AbstractEventLoop | None = None
) -> asyncio.Future[Any]:
    if asyncio.isfuture(coro_or_future):
        if loop is not None and loop is not coro_or_future.get_loop():
            raise ValueError("the future belongs to another loop")
        return coro_or_future
    if not inspect.isawaitable(coro_or_future):
        raise TypeError("a future, a coroutine or another awaitable is needed")
    coro = coro_or_future if isinstance(coro_or_future, Coroutine) else _await(coro_or_future)
    return _enter(asyncio.get_event_loop() if loop is None else loop, coro, {})
