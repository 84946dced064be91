"""Harnesses of async_lru."""

import asyncio

from async_lru import alru_cache

from ..harness import harness_of


@harness_of(
    "async-lru",
    cancel="read",
    finds={"AssertionError: the key was loaded * times": "async_lru_entry"},
)
async def async_lru_calls() -> int:
    """Each caller that is not cancelled gets a value, and a value that is loaded is not loaded again."""
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


@harness_of(
    "async-lru",
    cancel="read",
    finds={"AssertionError: loads of * keys run after cache_close()": "async_lru_close"},
)
async def async_lru_close() -> list[str]:
    """After cache_close() no load runs, whatever was loaded, and each caller has ended."""
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
