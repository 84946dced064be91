"""aiocache: each caller of a function whose loads are locked gets its value, and caches have no influence on others."""

from __future__ import annotations

import asyncio
import logging

from aiocache import cached_stampede

from ..harness import Harness

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


async def main() -> list[str]:
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


HARNESS = Harness(
    "aiocache",
    main,
    cancel="read",
    finds={"AssertionError: a reader gets KeyError*": "aiocache_lock"},
)
