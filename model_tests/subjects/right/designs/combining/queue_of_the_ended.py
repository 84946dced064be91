"""Each future puts itself in a queue when it ends, and wait reads that queue under asyncio.timeout.

The documentation leaves free how wait learns of an end, and how many turns it takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from ..combining_base import Child, failed, futures_of


async def wait(
    fs: Iterable[Child],
    *,
    timeout: float | None = None,
    return_when: str = asyncio.ALL_COMPLETED,
) -> tuple[set[Child], set[Child]]:
    futures = futures_of(fs, return_when)
    ended: asyncio.Queue[Child] = asyncio.Queue()
    for one in futures:
        one.add_done_callback(ended.put_nowait)
    try:
        async with asyncio.timeout(timeout):
            for _ in futures:
                one = await ended.get()
                if return_when == asyncio.FIRST_COMPLETED:
                    break
                if failed(one) and return_when == asyncio.FIRST_EXCEPTION:
                    break
    except TimeoutError:
        pass
    finally:
        for one in futures:
            one.remove_done_callback(ended.put_nowait)
    done = {one for one in futures if one.done()}
    return done, futures - done
