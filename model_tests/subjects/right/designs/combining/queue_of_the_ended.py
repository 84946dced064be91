"""Each future puts itself in a queue when it ends, and wait reads that queue under asyncio.timeout.

The documentation leaves free how wait learns of an end, and how many turns it takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

_KINDS = (asyncio.ALL_COMPLETED, asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION)
_Futures = set[asyncio.Future[Any]]


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
    ended: asyncio.Queue[asyncio.Future[Any]] = asyncio.Queue()
    for one in futures:
        one.add_done_callback(ended.put_nowait)
    try:
        async with asyncio.timeout(timeout):
            for _ in futures:
                one = await ended.get()
                if return_when == asyncio.FIRST_COMPLETED:
                    break
                failed = not one.cancelled() and one.exception() is not None
                if failed and return_when == asyncio.FIRST_EXCEPTION:
                    break
    except TimeoutError:
        pass
    finally:
        for one in futures:
            one.remove_done_callback(ended.put_nowait)
    done = {one for one in futures if one.done()}
    return done, futures - done
