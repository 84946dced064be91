"""Nothing is registered when the condition holds already; else callbacks set an event when it does.

The documentation leaves free whether wait pauses when there is nothing to wait for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

_KINDS = (asyncio.ALL_COMPLETED, asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION)
_Futures = set[asyncio.Future[Any]]


def _failed(future: asyncio.Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is not None


async def wait(
    fs: Iterable[asyncio.Future[Any]],
    *,
    timeout: float | None = None,
    return_when: str = asyncio.ALL_COMPLETED,
) -> tuple[_Futures, _Futures]:
    if asyncio.isfuture(fs) or isinstance(fs, Coroutine):
        raise TypeError("an iterable of futures is needed, not one of them")
    futures = set(fs)
    if any(isinstance(one, Coroutine) for one in futures):
        raise TypeError("coroutines are not allowed, make tasks of them")
    if not futures or return_when not in _KINDS:
        raise ValueError("no futures are given, or return_when is unknown")

    def enough() -> bool:
        if return_when == asyncio.FIRST_COMPLETED:
            return any(one.done() for one in futures)
        if return_when == asyncio.FIRST_EXCEPTION and any(_failed(one) for one in futures):
            return True
        return all(one.done() for one in futures)

    event = asyncio.Event()

    def look(_: asyncio.Future[Any]) -> None:
        if enough():
            event.set()

    if not enough():
        timer = None if timeout is None else asyncio.get_running_loop().call_later(timeout, event.set)
        for one in futures:
            one.add_done_callback(look)
        try:
            await event.wait()
        finally:
            for one in futures:
                one.remove_done_callback(look)
            if timer is not None:
                timer.cancel()
    done = {one for one in futures if one.done()}
    return done, futures - done
