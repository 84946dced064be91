"""aiodataloader: a reader that is not cancelled gets its value, and so does a later one, when others are cancelled."""

from __future__ import annotations

import asyncio

from aiodataloader import DataLoader

from ..harness import Harness


async def main() -> list[int]:
    batches: list[list[int]] = []

    async def fetch(keys: list[int]) -> list[int]:
        batches.append(keys)
        await asyncio.sleep(0.01)
        return [10 * key for key in keys]

    loader = DataLoader(fetch, max_batch_size=2)

    async def read(key: int) -> int:
        value: int = await loader.load(key)
        return value

    keys = (1, 1, 2, 3)
    readers = [asyncio.create_task(read(key)) for key in keys]
    await asyncio.wait(readers)
    for key, reader in zip(keys, readers, strict=True):
        if reader.cancelled():
            assert reader.cancelling(), f"reader of {key} was not cancelled, and ends so"
        else:
            assert reader.result() == 10 * key
    assert all(len(batch) <= 2 for batch in batches), f"{batches}"
    for key in (1, 2, 3):
        try:
            assert await read(key) == 10 * key
        except asyncio.CancelledError as error:
            raise AssertionError(f"a later reader of {key} is cancelled") from error
    return [len(batch) for batch in batches]


HARNESS = Harness(
    "aiodataloader",
    main,
    cancel="read",
    finds={
        "AssertionError: reader of * was not cancelled, and ends so": "aiodataloader_cache",
        "AssertionError: a later reader of * is cancelled": "aiodataloader_cache",
    },
)
