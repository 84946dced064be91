"""anyio: an order that a worker was given is worked on or left, though workers are cancelled as asyncio's tasks."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio

from ..harness import Harness

ORDERS = 3


async def work(orders: Any, begun: list[int]) -> None:
    async with orders:
        async for order in orders:
            begun.append(order)
            await anyio.sleep(0.01)


async def main() -> tuple[list[int], int]:
    sender, receiver = anyio.create_memory_object_stream[int](ORDERS)
    begun: list[int] = []
    async with sender, receiver:
        workers = [asyncio.create_task(work(receiver.clone(), begun)) for _ in range(2)]
        for order in range(ORDERS):
            await asyncio.sleep(0.02)
            await sender.send(order)
        await asyncio.sleep(0.1)
        left = sender.statistics().current_buffer_used
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
    assert len(begun) + left == ORDERS, f"[{len(begun)}] of {ORDERS} orders were begun, {left} are left"
    return begun, left


HARNESS = Harness("anyio", main, cancel="work", finds={"AssertionError: [[]*": "anyio_stream"})
