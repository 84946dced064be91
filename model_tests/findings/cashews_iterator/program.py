"""A list is read through a cache while it becomes shorter: two reads in succession must give the same.

loopspec explore cashews_iterator/program.py:main --cancel read
"""

import asyncio
from collections.abc import AsyncIterator

from cashews import Cache


async def main() -> None:
    cache = Cache()
    cache.setup("mem://")
    rows = [1, 2, 3]

    @cache.iterator(ttl=60, key="rows")  # type: ignore[untyped-decorator]
    async def listed() -> AsyncIterator[int]:
        for row in rows:
            await asyncio.sleep(0.01)
            yield row

    async def read() -> list[int]:
        return [row async for row in listed()]

    await asyncio.wait([asyncio.create_task(read())])
    del rows[1:]
    second, third = await read(), await read()
    await cache.close()
    assert second == third, f"the list {second} is given again as {third}"
