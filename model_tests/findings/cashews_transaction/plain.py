"""A task is cancelled in the body of a transaction, or in its commit, and goes on.  Its next write should be kept."""

import asyncio

from cashews import Cache


async def main(in_commit: bool) -> str:
    cache = Cache()
    cache.setup("mem://")

    async def work() -> None:
        try:
            async with cache.transaction():
                await cache.set("first", "written")
                if not in_commit:
                    await asyncio.sleep(0.1)
                # Its first suspension from here on is in the commit.
                asyncio.get_running_loop().call_soon(worker.cancel)
        except asyncio.CancelledError:
            pass
        await cache.set("second", "written")

    worker = asyncio.create_task(work())
    if not in_commit:
        await asyncio.sleep(0.03)
        worker.cancel()
    await asyncio.wait([worker])
    kept = await cache.get("second")
    await cache.close()
    return f"the next write: {'kept' if kept else 'lost'}"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("cancelled in the body:", outcome(False))
    print("cancelled in the commit:", outcome(True))
