"""Workers that take orders from a channel: an order is worked on, or is still in the channel.

loopspec explore anyio_stream/program.py:main --cancel work
"""

import asyncio

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream


async def work(orders: MemoryObjectReceiveStream[int], begun: list[int]) -> None:
    async with orders:
        async for order in orders:
            begun.append(order)
            await anyio.sleep(0.01)


async def main() -> None:
    sender, receiver = anyio.create_memory_object_stream[int](10)
    begun: list[int] = []
    async with sender, receiver:
        workers = [asyncio.create_task(work(receiver.clone(), begun)) for _ in range(2)]
        for order in range(3):
            await anyio.sleep(0.02)
            await sender.send(order)
        await anyio.sleep(1)
        left = sender.statistics().current_buffer_used
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    assert len(begun) + left == 3, f"{begun} of 3 orders were begun, {left} are left"
