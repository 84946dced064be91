"""Tasks read pages through a cache: each that is not cancelled must get its page.

loopspec explore cashews_shared/program.py:main --cancel read
"""

import asyncio

from cashews import Cache


async def main() -> None:
    cache = Cache()
    cache.setup("mem://")

    @cache(ttl=60, key="page:{page}")  # type: ignore[untyped-decorator]
    async def load(page: int) -> int:
        await asyncio.sleep(0.01)
        return page

    async def read() -> None:
        await load(1)

    readers = [asyncio.create_task(read()) for _ in range(2)]
    await asyncio.wait(readers)
    await cache.close()
    for reader in readers:
        assert not reader.cancelled() or reader.cancelling(), (
            "a reader that was not cancelled gets CancelledError"
        )
