"""A task holds a lock for less than its time, or for longer; then two want it.  No two should have it at once."""

import asyncio

from cashews import Cache


async def main(longer: bool) -> str:
    cache = Cache()
    cache.setup("mem://?check_interval=0.05")
    inside, most = 0, 0

    async def first() -> None:
        async with cache.lock("report", expire=0.4):
            await asyncio.sleep(0.8 if longer else 0.1)

    async def later() -> None:
        nonlocal inside, most
        async with cache.lock("report", expire=5, check_interval=0.02):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.8)
            inside -= 1

    tasks = [asyncio.create_task(first())]
    await asyncio.sleep(0.02)
    tasks += [asyncio.create_task(later()) for _ in range(2)]
    await asyncio.gather(*tasks)
    await cache.close()
    return f"{most} at once"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("held for less than its time:", outcome(False))
    print("held for longer:", outcome(True))
