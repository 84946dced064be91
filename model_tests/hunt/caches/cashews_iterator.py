"""cashews: what a cached iterator gives again is what it gave, whichever readers of it were cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from cashews import Cache

from ..harness import Harness


async def main() -> list[int]:
    cache = Cache()
    cache.setup("mem://")
    items = [1, 2, 3]

    @cache.iterator(ttl=60, key="items")
    async def listed() -> AsyncIterator[int]:
        for item in items:
            await asyncio.sleep(0.01)
            yield item

    async def read() -> list[int]:
        return [item async for item in listed()]

    try:
        await asyncio.wait([asyncio.create_task(read())])
        del items[1:]
        second = await read()
        third = await read()
        assert second == third, f"{second} is given again as {third}"
        return second
    finally:
        await cache.close()


HARNESS = Harness(
    "cashews",
    main,
    cancel="read",
    finds={"AssertionError: [[]*] is given again as *": "cashews_iterator"},
)
