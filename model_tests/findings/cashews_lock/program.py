"""Three tasks write a report under a lock that is theirs for a second: no two of them may write at once.

loopspec explore cashews_lock/program.py:main --cancel ask
"""

import asyncio

from cashews import Cache


async def main() -> None:
    cache = Cache()
    cache.setup("mem://?check_interval=0.05")
    writing = 0

    async def ask() -> None:
        nonlocal writing
        async with cache.lock("report", expire=1, check_interval=0.05):
            try:
                assert not writing, "two write the report, and each has its lock"
                writing += 1
                await asyncio.sleep(0.6)
                writing -= 1
            except asyncio.CancelledError:
                writing -= 1
                await asyncio.sleep(1.4)  # a cleanup that takes longer than the lock is held
                raise

    answers = await asyncio.gather(*[asyncio.create_task(ask()) for _ in range(3)], return_exceptions=True)
    await cache.close()
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
