"""Workers that take orders from a queue: an order is worked on, or is still in the queue.

loopspec explore tornado_queue/program.py:main --cancel work
"""

import asyncio

from tornado.queues import Queue


async def work(orders: "Queue[int]", begun: list[int]) -> None:
    while True:
        begun.append(await orders.get())
        await asyncio.sleep(0.01)


async def main() -> None:
    orders: Queue[int] = Queue()
    begun: list[int] = []
    workers = [asyncio.create_task(work(orders, begun)) for _ in range(2)]
    for order in range(3):
        await asyncio.sleep(0.02)
        await orders.put(order)
    await asyncio.sleep(1)
    left = orders.qsize()
    for worker in workers:
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    assert len(begun) + left == 3, f"{begun} of 3 orders were begun, {left} are left"
