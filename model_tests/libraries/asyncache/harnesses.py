"""Harnesses of asyncache."""

import asyncio

from asyncache import cached
from cachetools import TTLCache

from ..harness import harness_of


@harness_of("asyncache", cancel="read")
async def asyncache_readers() -> int:
    """Each reader gets the value of its key, a failed load is not kept, and the lock serves the next reader."""
    lock = asyncio.Lock()
    loads = 0
    now = asyncio.get_running_loop().time

    @cached(TTLCache(maxsize=2, ttl=10, timer=now), lock=lock)
    async def load(page: int) -> int:
        nonlocal loads
        loads += 1
        await asyncio.sleep(0.01)
        return page

    async def read(page: int) -> int:
        value: int = await load(page)
        return value

    pages = (1, 1, 2, 3)
    readers = [asyncio.create_task(read(page)) for page in pages]
    await asyncio.wait(readers)
    for page, reader in zip(pages, readers, strict=True):
        assert reader.cancelled() or reader.result() == page
        assert not reader.cancelled() or reader.cancelling(), "a reader was not cancelled, and ends so"
    assert not lock.locked(), "the lock is kept"
    await read(1)
    before = loads
    assert await read(1) == 1
    assert loads == before, "a value that was loaded is not kept"
    return loads
