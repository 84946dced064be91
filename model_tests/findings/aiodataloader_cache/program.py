"""Three tasks read users through a loader, and one reads afterwards: each that is not cancelled must get its user.

loopspec explore aiodataloader_cache/program.py:main --cancel read
"""

import asyncio

from aiodataloader import DataLoader


async def fetch(keys: list[int]) -> list[str]:
    await asyncio.sleep(0.01)
    return [f"user {key}" for key in keys]


async def main() -> None:
    loader = DataLoader(fetch)

    async def read(key: int) -> str:
        user: str = await loader.load(key)
        return user

    readers = [asyncio.create_task(read(key)) for key in (1, 1, 2)]
    await asyncio.wait(readers)
    for reader in readers:
        assert not reader.cancelled() or reader.cancelling(), (
            "a reader that was not cancelled gets CancelledError"
        )
