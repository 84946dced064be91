"""A cache with two places for two pages: each page is loaded once, and once more if its reader was cancelled.

loopspec explore anyio_cache_place/program.py:main --cancel read
"""

import asyncio

from anyio.functools import lru_cache


async def main() -> None:
    loaded = []

    @lru_cache(maxsize=2)
    async def load(page: int) -> int:
        await asyncio.sleep(0.01)
        loaded.append(page)
        return page

    async def read(page: int) -> int:
        result: int = await load(page)
        return result

    await asyncio.wait([asyncio.create_task(read(1))])
    for _ in range(3):
        for page in (1, 2):
            await load(page)
    assert len(loaded) == 2, f"the pages {loaded} were loaded, and the cache has two places"
