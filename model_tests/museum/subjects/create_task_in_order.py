"""TASK-6: create_task begins to run the body at once."""

from __future__ import annotations

import asyncio
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Once:
    def __init__(self, first: Any, coro: Any) -> None:
        self.first, self.coro = first, coro

    def __await__(self) -> Any:
        yield self.first
        return (yield from self.coro.__await__())


def create_task(coro: Any, *, name: Any = None, context: Any = None) -> Any:
    try:
        first = coro.send(None)
    except StopIteration as stop:
        value = stop.value

        async def over() -> Any:
            return value

        return asyncio.get_running_loop().create_task(over(), name=name)
    if first is not None:
        first._asyncio_future_blocking = True

    async def rest() -> Any:
        return await Once(first, coro)

    return asyncio.get_running_loop().create_task(rest(), name=name)
