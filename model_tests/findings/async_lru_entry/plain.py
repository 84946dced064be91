"""The only caller of a load is cancelled; others call after its cleanup, or before.  The page should be loaded once."""

import asyncio

from async_lru import alru_cache


async def main(before: bool) -> str:
    loaded = 0

    @alru_cache  # type: ignore[untyped-decorator]
    async def load(page: int) -> int:
        nonlocal loaded
        try:
            await asyncio.sleep(0.3)
        except asyncio.CancelledError:
            await asyncio.sleep(0.1)  # closes a connection, for instance
            raise
        loaded += 1
        return page

    async def read() -> int:
        page: int = await load(1)
        return page

    first = asyncio.create_task(read())
    await asyncio.sleep(0.02)
    first.cancel()
    await asyncio.sleep(0.02 if before else 0.2)
    second = asyncio.create_task(read())
    await asyncio.sleep(0.2)
    third = asyncio.create_task(read())
    await asyncio.gather(second, third)
    return f"loaded {loaded} times"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the others call when its cleanup is over:", outcome(False))
    print("the others call before:", outcome(True))
