"""cashews: callers of a cached function share a load, and each that is not cancelled gets its value."""

from __future__ import annotations

import asyncio

from cashews import Cache

from ..harness import Harness


async def main() -> int:
    cache = Cache()
    cache.setup("mem://")
    loads: list[int] = []

    @cache(ttl=60, key="page:{page}")
    async def load(page: int) -> int:
        loads.append(page)
        await asyncio.sleep(0.01)
        return page

    async def read(page: int) -> int:
        value: int = await load(page)
        return value

    pages = (1, 1, 2, 1)
    readers = [asyncio.create_task(read(page)) for page in pages]
    try:
        await asyncio.wait(readers)
        for page, reader in zip(pages, readers, strict=True):
            if reader.cancelled():
                assert reader.cancelling(), "a reader was not cancelled, and ends so"
            else:
                assert reader.result() == page
        assert await read(1) == 1
        return len(loads)
    finally:
        await cache.close()


HARNESS = Harness(
    "cashews",
    main,
    cancel="read",
    finds={"AssertionError: a reader was not cancelled, and ends so": "cashews_shared"},
)
