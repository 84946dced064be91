"""A task that leaves a merged stream is cancelled, before there is an item or while the sources end.  It should end."""

import asyncio
from collections.abc import AsyncIterator

from aiostream import stream


async def count(seconds: float) -> AsyncIterator[int]:
    try:
        await asyncio.sleep(seconds)
        yield 0
    finally:
        await asyncio.sleep(0.1)


async def main(late: bool) -> str:
    async def use() -> str:
        async with stream.merge(count(0.1), count(10)).stream() as streamer:
            async for _ in streamer:
                break
        await asyncio.sleep(0.5)
        return "went on"

    task = asyncio.create_task(use())
    await asyncio.sleep(0.15 if late else 0.05)
    task.cancel()
    await asyncio.wait([task])
    return "cancelled" if task.cancelled() else task.result()


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("cancelled while it waits for an item:", outcome(False))
    print("cancelled while the sources end:", outcome(True))
