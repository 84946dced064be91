"""A value is deleted, or the whole cache cleared, and a new value set.  It should stay until its own time is over."""

import asyncio

from aiocache import SimpleMemoryCache


async def main(clear: bool) -> str:
    cache = SimpleMemoryCache()
    await cache.set("page", "old", ttl=0.3)
    if clear:
        await cache.clear()
    else:
        await cache.delete("page")
    await cache.set("page", "new", ttl=30)
    await asyncio.sleep(0.6)
    return f"the new value: {'kept' if await cache.get('page') else 'gone'}"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the value was deleted:", outcome(False))
    print("the cache was cleared:", outcome(True))
