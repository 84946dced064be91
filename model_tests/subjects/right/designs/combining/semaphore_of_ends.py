"""wait by a semaphore that each end releases, looked at anew after each acquire, all under asyncio.timeout.

The documentation defines when wait() returns, and its result, but not how it counts the ends or keeps the time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from ..combining_base import Child, enough, futures_of


async def wait(
    aws: Iterable[Child], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> tuple[set[Child], set[Child]]:
    futures = futures_of(aws, return_when)
    ends = asyncio.Semaphore(0)

    def ended(_: Child) -> None:
        ends.release()

    for future in futures:
        future.add_done_callback(ended)
    try:
        async with asyncio.timeout(timeout):
            while not enough(futures, return_when):
                await ends.acquire()
    except TimeoutError:
        pass
    finally:
        for future in futures:
            future.remove_done_callback(ended)
    done = {future for future in futures if future.done()}
    return done, futures - done
