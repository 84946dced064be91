"""Wait a bounded time for tasks, also in a search that makes timeouts expire early."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, Final

STEPS: Final = 20


async def ended(*tasks: Awaitable[Any], seconds: float = 10) -> bool:
    """Return whether tasks end in some seconds; their errors are neither raised nor reported.

    A sleep never ends early, but its clock may be moved by a timeout of the library: it is divided into steps, in each
    of which all tasks that can go on do.
    """
    futures = [asyncio.ensure_future(task) for task in tasks]
    for _ in range(STEPS):
        if all(future.done() for future in futures):
            break
        await asyncio.sleep(seconds / STEPS)
    done = [future for future in futures if future.done()]
    for future in done:
        _ = future.cancelled() or future.exception()
    return len(done) == len(futures)
