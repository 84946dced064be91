"""Harnesses of aiocache."""

import asyncio
import logging

from aiocache import SimpleMemoryCache, cached_stampede

from ..harness import harness_of


@harness_of(
    "aiocache",
    cancel="refresh",
    finds={"AssertionError: a value is gone before its time": "aiocache_clear"},
)
async def aiocache_clear() -> str:
    """A value stays until its own time is over, though values before it were cleared."""
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


# It reports a cache that times out, which the search makes it do.
logging.getLogger("aiocache.decorators").setLevel(logging.CRITICAL)


class Users:
    @cached_stampede(lease=2, noself=True)
    async def get(self, number: int) -> str:
        await asyncio.sleep(0.01)
        return f"user {number}"


class Orders:
    @cached_stampede(lease=2, noself=True)
    async def get(self, number: int) -> str:
        await asyncio.sleep(0.02)
        return f"order {number}"


@harness_of(
    "aiocache",
    cancel="read",
    finds={"AssertionError: a reader gets KeyError*": "aiocache_lock"},
)
async def aiocache_stampede() -> list[str]:
    """Each caller of a function with locked loads gets its value, and caches have no influence on others."""
    for kind in (Users, Orders):
        await kind.get.cache.clear()
    users, orders = Users(), Orders()

    async def read(kind: Users | Orders, late: float) -> str:
        await asyncio.sleep(late)
        text: str = await kind.get(1)
        return text

    late = ((users, 0), (users, 0.005), (orders, 0.005), (orders, 0.015))
    tasks = [asyncio.create_task(read(kind, after)) for kind, after in late]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        assert not isinstance(result, Exception), f"a reader gets {result!r}"
    return [result for result in results if isinstance(result, str)]
