"""A task takes the first item of two sources: if it is cancelled, it must not go on.

loopspec explore aiostream_close/program.py:main --cancel first
"""

import asyncio
from collections.abc import AsyncIterator

from aiostream import stream


async def listen(seconds: float) -> AsyncIterator[float]:
    try:
        await asyncio.sleep(seconds)
        yield seconds
    finally:
        await asyncio.sleep(0.01)  # closes the connection


async def first() -> float:
    found = 0.0
    async with stream.merge(listen(0.01), listen(0.1)).stream() as streamer:
        async for item in streamer:
            found = item
            break
    await asyncio.sleep(0.01)
    return found


async def main() -> None:
    task = asyncio.create_task(first())
    await asyncio.wait([task])
    assert task.cancelled() or task.cancelling() == 0, "a task that was cancelled went on"
