"""Nothing is registered when the condition holds already; else callbacks set an event when it does.

The documentation leaves free whether wait pauses when there is nothing to wait for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from ..combining_base import Child, enough, futures_of


async def wait(
    fs: Iterable[Child],
    *,
    timeout: float | None = None,
    return_when: str = asyncio.ALL_COMPLETED,
) -> tuple[set[Child], set[Child]]:
    futures = futures_of(fs, return_when)

    event = asyncio.Event()

    def look(_: Child) -> None:
        if enough(futures, return_when):
            event.set()

    if not enough(futures, return_when):
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
