"""async-lru: after cache_close() no load runs, whatever was loaded, and each caller has ended."""

from __future__ import annotations

import asyncio

from async_lru import alru_cache

from ..harness import Harness


async def main() -> list[str]:
    running: list[int] = []

    @alru_cache(maxsize=2)
    async def load(key: int) -> int:
        running.append(key)
        try:
            await asyncio.sleep(0.02)
        finally:
            await asyncio.sleep(0)
            running.remove(key)
        return key

    async def read(key: int) -> int:
        value: int = await load(key)
        return value

    # More pages than the cache has places for.
    readers = [asyncio.create_task(read(key)) for key in (1, 2, 3)]
    await asyncio.sleep(0.01)
    await load.cache_close()
    assert not running, f"loads of {len(running)} keys run after cache_close()"
    await asyncio.gather(*readers, return_exceptions=True)
    return ["cancelled" if reader.cancelled() else "read" for reader in readers]


HARNESS = Harness(
    "async-lru",
    main,
    cancel="read",
    finds={"AssertionError: loads of * keys run after cache_close()": "async_lru_close"},
)
