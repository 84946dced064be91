"""A value of half a second is written, outside of a transaction or in one.  After a second it should be gone."""

import asyncio

from cashews import Cache


async def main(in_transaction: bool) -> str:
    cache = Cache()
    cache.setup("mem://")
    if in_transaction:
        async with cache.transaction():
            await cache.set("session", "open", expire=0.5)
    else:
        await cache.set("session", "open", expire=0.5)
    await asyncio.sleep(1)
    session = await cache.get("session")
    await cache.close()
    return "kept" if session else "expired"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("outside of a transaction:", outcome(False))
    print("in a transaction:", outcome(True))
