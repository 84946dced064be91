"""A task uses a limiter, and another asks it without wanting to wait: it must be answered at once.

loopspec explore pyrate_limiter_wait/program.py:main --cancel use
"""

import asyncio

from pyrate_limiter import InMemoryBucket, Limiter, Rate, SingleBucketFactory


async def main() -> None:
    limiter = Limiter(SingleBucketFactory(InMemoryBucket([Rate(1, 2000)]), schedule_leak=False))

    async def use() -> None:
        try:
            await limiter.try_acquire_async("key")
            await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            await limiter.try_acquire_async("key")  # a last request, to log off

    async def ask() -> float:
        await asyncio.sleep(0.1)
        start = asyncio.get_running_loop().time()
        await limiter.try_acquire_async("key", blocking=False)
        return asyncio.get_running_loop().time() - start

    user, asker = asyncio.create_task(use()), asyncio.create_task(ask())
    await asyncio.wait([user, asker])
    assert asker.result() < 1, "a caller that must not wait waits"
