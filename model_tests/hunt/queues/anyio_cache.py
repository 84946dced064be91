"""anyio: a cached function serves each caller that is not cancelled, and keeps as many values as it has places."""

from __future__ import annotations

import asyncio

from anyio.functools import lru_cache

from ..harness import Harness

PLACES = 2


async def main() -> list[object]:
    loads: list[int] = []

    @lru_cache(maxsize=PLACES)
    async def load(page: int) -> int:
        loads.append(page)
        await asyncio.sleep(0.001)
        await asyncio.sleep(0.001)
        return page

    async def read(page: int) -> int:
        result: int = await load(page)
        return result

    # As many other pages as there are places are loaded while the first page is.
    pages = (0, 0, 2, 3, 0)
    readers = [asyncio.create_task(read(page)) for page in pages]
    results = await asyncio.gather(*readers, return_exceptions=True)
    for page, result in zip(pages, results, strict=True):
        assert result == page or isinstance(result, asyncio.CancelledError), f"page {page}: {result!r}"
    for page in range(PLACES):
        await load(page)
    loads.clear()
    for page in range(PLACES):
        await load(page)
    assert not loads, f"the pages {loads} are loaded again, and there are places for them"
    return [result for result in results if isinstance(result, int)]


HARNESS = Harness(
    "anyio",
    main,
    cancel="read",
    finds={
        "AssertionError: page *KeyError*": "anyio_cache_key",
        "AssertionError: the pages * are loaded again*": "anyio_cache_place",
    },
)
