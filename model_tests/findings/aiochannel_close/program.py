"""Producers that close their channel when they are interrupted, and so does main at the end.

loopspec explore aiochannel_close/program.py:main --cancel produce
"""

import asyncio

from aiochannel import Channel, ChannelClosed


async def produce(channel: "Channel[int]") -> None:
    try:
        for item in range(3):
            await channel.put(item)
    except ChannelClosed:
        pass
    except BaseException:
        channel.close()
        raise


async def consume(channel: "Channel[int]", got: list[int]) -> None:
    async for item in channel:
        got.append(item)
        await asyncio.sleep(0.01)


async def main() -> None:
    channel: Channel[int] = Channel(1)
    got: list[int] = []
    consumer = asyncio.create_task(consume(channel, got))
    producers = [asyncio.create_task(produce(channel)) for _ in range(2)]
    await asyncio.wait(producers)
    try:
        channel.close()
    except asyncio.InvalidStateError:
        raise AssertionError("a channel that is closed cannot be closed") from None
    await consumer
