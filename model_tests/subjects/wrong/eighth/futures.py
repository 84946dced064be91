"""Wrong implementations of futures and tasks."""

from __future__ import annotations

import asyncio.futures
import asyncio.tasks
from functools import wraps
from typing import Any

#: asyncio's future and task in pure Python, which typeshed does not know.
PyFuture: Any = vars(asyncio.futures)["_PyFuture"]
PyTask: Any = vars(asyncio.tasks)["_PyTask"]


@wraps(asyncio.ensure_future, assigned=())
def ensure_future_of_coroutines(coro_or_future: Any, *, loop: Any = None) -> Any:
    """An ensure_future that refuses awaitables which are neither futures nor coroutines.

    Breaks "a Task object wrapping and scheduling obj ... if obj is an awaitable (inspect.isawaitable() is used for
    the test)".
    """
    if asyncio.isfuture(coro_or_future):
        if loop is not None and loop is not coro_or_future.get_loop():
            raise ValueError(
                "The future belongs to a different loop than the one specified as the loop argument"
            )
        return coro_or_future
    if not asyncio.iscoroutine(coro_or_future):
        raise TypeError("An asyncio.Future or a coroutine is required")
    return (loop or asyncio.get_event_loop()).create_task(coro_or_future)
