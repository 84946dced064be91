"""async-lru: each caller that is not cancelled gets a value, and a value that is loaded is not loaded again."""

from __future__ import annotations

import asyncio

from async_lru import alru_cache

from ..harness import Harness


async def main() -> int:
    complete = 0

    @alru_cache(maxsize=2)
    async def load(key: int) -> int:
        nonlocal complete
        await asyncio.sleep(0.01)
        complete += 1
        return key

    async def read(late: float) -> int:
        await asyncio.sleep(late)
        value: int = await load(1)
        return value

    readers = [asyncio.create_task(read(late)) for late in (0, 0, 0.005, 0.008)]
    await asyncio.wait(readers)
    for reader in readers:
        if reader.cancelled():
            assert reader.cancelling(), "a reader was not cancelled, and ends so"
        else:
            assert reader.result() == 1
    await load(1)
    assert complete == 1, f"the key was loaded {complete} times"
    return complete


HARNESS = Harness(
    "async-lru",
    main,
    cancel="read",
    finds={"AssertionError: the key was loaded * times": "async_lru_entry"},
)
