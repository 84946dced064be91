"""cashews: what is written after a transaction is kept, whichever way it ended, and so is its last commit."""

from __future__ import annotations

import asyncio

from cashews import Cache

from ..harness import Harness


async def main() -> list[str]:
    cache = Cache()
    cache.setup("mem://")

    async def work(name: str) -> None:
        try:
            async with cache.transaction():
                await cache.set(f"{name}:first", "written")
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            pass
        async with cache.transaction():
            await cache.set(f"{name}:second", "written")
        await cache.set(f"{name}:third", "written")

    try:
        workers = [asyncio.create_task(work(name)) for name in ("a", "b")]
        await asyncio.gather(*workers, return_exceptions=True)
        for worker, name in zip(workers, ("a", "b"), strict=True):
            if not worker.cancelled():
                worker.result()
                for key in ("second", "third"):
                    assert await cache.get(f"{name}:{key}"), f"the {key} write of a worker is lost"
        return ["cancelled" if worker.cancelled() else "done" for worker in workers]
    finally:
        await cache.close()


HARNESS = Harness(
    "cashews",
    main,
    cancel="work",
    finds={"AssertionError: the * write of a worker is lost": "cashews_transaction"},
)
