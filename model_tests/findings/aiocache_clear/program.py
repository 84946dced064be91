"""A task that refreshes a page clears the cache if it is cancelled: the next value must stay for its time.

loopspec explore aiocache_clear/program.py:main --cancel refresh
"""

import asyncio

from aiocache import SimpleMemoryCache


async def main() -> None:
    cache = SimpleMemoryCache()

    async def refresh() -> None:
        await cache.set("page", "old", ttl=1)
        try:
            await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            await cache.clear()
            raise

    await asyncio.wait([asyncio.create_task(refresh())])
    await cache.set("page", "new", ttl=10)
    await asyncio.sleep(5)
    assert await cache.get("page") == "new", "the page is gone, and half of its time is left"
