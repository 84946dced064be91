"""Tasks read pages through a small cache, which is closed at the end: then no page may be loading.

loopspec explore async_lru_close/program.py:main --cancel read
"""

import asyncio

from async_lru import alru_cache


async def main() -> None:
    running = 0

    @alru_cache(maxsize=1)  # type: ignore[untyped-decorator]
    async def load(page: int) -> int:
        nonlocal running
        running += 1
        try:
            try:
                await asyncio.sleep(0.01)
            finally:
                await asyncio.sleep(0.01)  # closes a connection, for instance
        finally:
            running -= 1
        return page

    async def read() -> None:
        await load(1)

    readers = [asyncio.create_task(read()) for _ in range(2)]
    await asyncio.wait(readers)
    await load.cache_close(wait=True)
    assert not running, "a page is loading, and the cache is closed"
