"""Cases of aiocache: python plain.py [CASE...]"""

import asyncio
import sys

from aiocache import SimpleMemoryCache, cached_stampede


async def clear(clear: bool) -> str:
    """A value is deleted, or the whole cache cleared, and a new value set.  It should stay for its own time."""
    cache = SimpleMemoryCache()
    await cache.set("page", "old", ttl=0.3)
    if clear:
        await cache.clear()
    else:
        await cache.delete("page")
    await cache.set("page", "new", ttl=30)
    await asyncio.sleep(0.6)
    return f"the new value: {'kept' if await cache.get('page') else 'gone'}"


async def lock(at_once: bool) -> str:
    """Two classes have a method of one name, each with its own cache, called one after the other, or at once."""

    class Users:
        @cached_stampede(lease=2, noself=True)  # type: ignore[untyped-decorator]
        async def get(self, number: int) -> str:
            await asyncio.sleep(0.1)
            return f"user {number}"

    class Orders:
        @cached_stampede(lease=2, noself=True)  # type: ignore[untyped-decorator]
        async def get(self, number: int) -> str:
            await asyncio.sleep(0.3)
            return f"order {number}"

    async def read_user() -> str:
        user: str = await Users().get(1)
        return user

    async def read_order() -> str:
        order: str = await Orders().get(1)
        return order

    readers = [asyncio.create_task(read_user())]
    await asyncio.sleep(0.02 if at_once else 0.2)
    readers.append(asyncio.create_task(read_order()))
    answers = await asyncio.gather(*readers, return_exceptions=True)
    return ", ".join(answer if isinstance(answer, str) else type(answer).__name__ for answer in answers)


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "clear": (clear, "the value was deleted", "the cache was cleared"),
    "lock": (lock, "one after the other", "at once"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
