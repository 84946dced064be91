"""sleep() waits with a timeout for a future that never ends.

The documentation says "Block for delay seconds", "sleep() always suspends the current task", and leaves free how.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")


class Pause:
    def __await__(self) -> Generator[None]:
        yield


async def sleep(delay: float, result: T | None = None) -> T | None:
    if math.isnan(delay):
        raise ValueError("a delay must be a number")
    if delay <= 0:
        await Pause()
    else:
        await asyncio.wait([asyncio.get_running_loop().create_future()], timeout=delay)
    return result
