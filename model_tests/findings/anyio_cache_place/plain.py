"""Two pages are loaded through a cache for two, after a load that failed, or did not.  Both should be cached."""

import asyncio

from anyio.functools import lru_cache


async def main(fails: bool) -> str:
    failing = fails

    @lru_cache(maxsize=2)
    async def load(page: int) -> int:
        await asyncio.sleep(0)
        if failing:
            raise ConnectionError
        return page

    try:
        await load(1)
    except ConnectionError:
        failing = False
    for page in (1, 2):
        await load(page)
    before = load.cache_info().hits
    for page in (1, 2):
        await load(page)
    return f"{load.cache_info().hits - before} of 2 are cached"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("no load has failed:", outcome(False))
    print("the first load has failed:", outcome(True))
