"""A caller asks a limiter without wanting to wait, while no other waits for a permit, or while one does."""

import asyncio

from pyrate_limiter import InMemoryBucket, Limiter, Rate, SingleBucketFactory


async def main(another: bool) -> str:
    limiter = Limiter(SingleBucketFactory(InMemoryBucket([Rate(1, 1200)]), schedule_leak=False))
    await limiter.try_acquire_async("key")
    waiter = asyncio.create_task(asyncio.sleep(0))
    if another:
        waiter = asyncio.create_task(limiter.try_acquire_async("key"))
    await asyncio.sleep(0.05)
    start = asyncio.get_running_loop().time()
    await limiter.try_acquire_async("key", blocking=False)
    took = asyncio.get_running_loop().time() - start
    await waiter
    return "answered at once" if took < 0.6 else "waits"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("no other waits:", outcome(False))
    print("another waits:", outcome(True))
