"""shield by a second task that follows the first one with asyncio.wait, and alone takes the cancel.

The documentation says that a cancel of shield() does not reach the inner task, but not how shield()
is built.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


async def _follow(inner: asyncio.Future[T]) -> T:
    await asyncio.wait([inner])  # a cancel of this task ends the wait, and leaves the inner one alone
    return inner.result()


def shield(arg: Awaitable[T]) -> asyncio.Future[T]:
    inner: asyncio.Future[T] = asyncio.ensure_future(arg)
    if inner.done():
        return inner
    return inner.get_loop().create_task(_follow(inner), name="shield")
