"""Tasks read a page through a cache, one after the other: it must be loaded once, whichever readers are cancelled.

loopspec explore async_lru_entry/program.py:main --cancel read
"""

import asyncio

from async_lru import alru_cache


async def main() -> None:
    loaded = 0

    @alru_cache  # type: ignore[untyped-decorator]
    async def load(page: int) -> int:
        nonlocal loaded
        await asyncio.sleep(0.01)
        loaded += 1
        return page

    async def read() -> None:
        for _ in range(2):
            try:
                await load(1)
            except asyncio.CancelledError:
                pass  # a request that was withdrawn; the next one follows

    await asyncio.gather(*[asyncio.create_task(read()) for _ in range(2)])
    assert loaded == 1, f"the page was loaded {loaded} times"
