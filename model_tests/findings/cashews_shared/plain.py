"""Two tasks read the same page through a cache, and the first is cancelled, or is not.  The second should get it."""

import asyncio

from cashews import Cache


async def main(cancelled: bool) -> str:
    cache = Cache()
    cache.setup("mem://")

    @cache(ttl=60, key="page:{page}")  # type: ignore[untyped-decorator]
    async def load(page: int) -> int:
        await asyncio.sleep(0.1)
        return page

    async def read() -> str:
        try:
            await load(1)
        except asyncio.CancelledError:
            return "cancelled"
        return "a value"

    first, second = asyncio.create_task(read()), asyncio.create_task(read())
    await asyncio.sleep(0.03)
    if cancelled:
        first.cancel()
    answer = await second
    await cache.close()
    return f"the other: {answer}"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the first is not cancelled:", outcome(False))
    print("the first is cancelled:", outcome(True))
