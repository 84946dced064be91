"""A worker writes in transactions, and goes on when one was cancelled: what it writes afterwards must be kept.

loopspec explore cashews_transaction/program.py:main --cancel work
"""

import asyncio

from cashews import Cache


async def main() -> None:
    cache = Cache()
    cache.setup("mem://")

    async def work() -> None:
        for job in range(2):
            try:
                async with cache.transaction():
                    await cache.set(f"job:{job}", "done")
            except asyncio.CancelledError:
                pass  # this job was withdrawn; the next one follows
        await cache.set("all", "done")

    worker = asyncio.create_task(work())
    await asyncio.wait([worker])
    kept = await cache.get("all")
    await cache.close()
    assert worker.cancelled() or kept, "the last write of a worker is lost"
