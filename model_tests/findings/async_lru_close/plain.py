"""Two pages are loaded through a cache with places for two, or for one, which is closed.  No load should run then."""

import asyncio

from async_lru import alru_cache


async def main(places: int) -> str:
    running = 0

    @alru_cache(maxsize=places)  # type: ignore[untyped-decorator]
    async def load(page: int) -> int:
        nonlocal running
        running += 1
        try:
            await asyncio.sleep(0.5)
        finally:
            running -= 1
        return page

    readers = [asyncio.create_task(load(page)) for page in (1, 2)]
    await asyncio.sleep(0.05)
    await load.cache_close()
    left = running
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    return f"{left} run"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(1 if wrong else 2))


if __name__ == "__main__":
    print("places for both:", outcome(False))
    print("a place for one:", outcome(True))
