"""tornado: a lock serves the next task, and a queue loses no item, though asyncio cancels a task that waits."""

from __future__ import annotations

import asyncio
from typing import Any

from tornado import locks, queues

from ..harness import Harness

ITEMS = 3


async def use(lock: locks.Lock) -> None:
    async with lock:
        await asyncio.sleep(0.001)


async def get(queue: Any, got: list[int]) -> None:
    got.append(await queue.get())


async def main() -> list[int]:
    lock = locks.Lock()
    queue: queues.Queue[int] = queues.Queue(ITEMS)
    got: list[int] = []
    users = [asyncio.create_task(use(lock)) for _ in range(3)]
    getters = [asyncio.create_task(get(queue, got)) for _ in range(2)]
    for item in range(ITEMS):
        await asyncio.sleep(0.001)
        await queue.put(item)
    await asyncio.gather(*users, *getters, return_exceptions=True)
    assert len(got) + queue.qsize() == ITEMS, (
        f"[{len(got)}] of {ITEMS} items were got, {queue.qsize()} are left"
    )
    await use(lock)
    return got


HARNESS = Harness(
    "tornado",
    main,
    cancel="use,get",
    finds={"DeadlockError*": "tornado_lock", "AssertionError: [[]*": "tornado_queue"},
)
