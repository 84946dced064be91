"""aiocache: a value stays until its own time is over, though values before it were cleared."""

from __future__ import annotations

import asyncio

from aiocache import SimpleMemoryCache

from ..harness import Harness


async def main() -> str:
    cache = SimpleMemoryCache()

    async def refresh() -> None:
        await cache.set("page", "old", ttl=1)
        try:
            await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            await cache.clear()
            raise

    refreshes = [asyncio.create_task(refresh()) for _ in range(2)]
    await asyncio.gather(*refreshes, return_exceptions=True)
    await cache.set("page", "new", ttl=10)
    await asyncio.sleep(5)
    assert await cache.get("page") == "new", "a value is gone before its time"
    await asyncio.sleep(6)
    assert await cache.get("page") is None
    return "expired"


HARNESS = Harness(
    "aiocache",
    main,
    cancel="refresh",
    finds={"AssertionError: a value is gone before its time": "aiocache_clear"},
)
