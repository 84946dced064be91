"""Cases of async_lru: python plain.py [CASE...]"""

import asyncio
import sys

from async_lru import alru_cache


async def close(one: bool) -> str:
    """Two pages are loaded through a cache with two places, or one, which is closed.  No load should run then."""
    running = 0

    @alru_cache(maxsize=1 if one else 2)  # type: ignore[untyped-decorator]
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


async def entry(before: bool) -> str:
    """The only caller of a load is cancelled; others call after its cleanup, or before.  It should be loaded once."""
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


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "close": (close, "places for both", "a place for one"),
    "entry": (entry, "the others call when its cleanup is over", "the others call before"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
