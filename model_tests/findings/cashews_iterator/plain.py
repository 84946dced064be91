"""A list is read through a cache, and again when it is shorter.  A first reader stops at row one, or after two."""

import asyncio
from collections.abc import AsyncIterator

from cashews import Cache


async def main(rows_read: int) -> str:
    cache = Cache()
    cache.setup("mem://")
    rows = [1, 2, 3]

    @cache.iterator(ttl=60, key="rows")  # type: ignore[untyped-decorator]
    async def listed() -> AsyncIterator[int]:
        for row in rows:
            await asyncio.sleep(0.01)
            yield row

    async def read(most: int) -> list[int]:
        got: list[int] = []
        async for row in listed():
            if len(got) == most:
                break
            got.append(row)
        return got

    await read(rows_read)
    del rows[1:]
    second, third = await read(9), await read(9)
    await cache.close()
    return f"{second} is given again as {third}"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(2 if wrong else 0))


if __name__ == "__main__":
    print("it stops at the first row:", outcome(False))
    print("it stops after two:", outcome(True))
