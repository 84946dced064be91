"""The bridge between the two kinds of futures, with one function that copies an outcome.

The documentation says "Wrap a concurrent.futures.Future object in a asyncio.Future object", and leaves the way free.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")


def copy(source: Any, target: Any) -> None:
    if source.cancelled():
        target.cancel()
    elif (error := source.exception()) is not None:
        target.set_exception(error)
    else:
        target.set_result(source.result())


def wrap_future(future: Any, *, loop: asyncio.AbstractEventLoop | None = None) -> asyncio.Future[Any]:
    if asyncio.isfuture(future):
        return future
    home = loop or asyncio.get_running_loop()
    outer: asyncio.Future[Any] = home.create_future()

    def ended(_: object) -> None:
        with suppress(RuntimeError):
            home.call_soon_threadsafe(lambda: None if outer.done() else copy(future, outer))

    outer.add_done_callback(lambda done: done.cancelled() and future.cancel())
    future.add_done_callback(ended)
    return outer


def run_coroutine_threadsafe(
    coro: Coroutine[Any, Any, T], loop: asyncio.AbstractEventLoop
) -> concurrent.futures.Future[T]:
    if not asyncio.iscoroutine(coro):
        raise TypeError("a coroutine is required")
    result: concurrent.futures.Future[T] = concurrent.futures.Future()

    def ended(task: asyncio.Task[T]) -> None:
        if task.cancelled():
            result.cancel()
        if result.set_running_or_notify_cancel():
            copy(task, result)
        elif not task.cancelled():
            task.exception()

    def give_up(task: asyncio.Task[T]) -> None:
        if result.cancelled():
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(task.cancel)

    def start() -> None:
        try:
            task = loop.create_task(coro)
        except BaseException as error:
            if result.set_running_or_notify_cancel():
                result.set_exception(error)
            raise
        task.add_done_callback(ended)
        result.add_done_callback(lambda _: give_up(task))

    loop.call_soon_threadsafe(start)
    return result
