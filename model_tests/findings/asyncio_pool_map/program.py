"""Two tasks share a pool of one: a task that is cancelled must not go on.

loopspec explore asyncio_pool_map/program.py:main --cancel fetch_all
"""

import asyncio
from typing import Any

from asyncio_pool import AioPool


async def fetch(number: int) -> int:
    await asyncio.sleep(0.01)
    return number


async def fetch_all(pool: AioPool) -> Any:
    return await pool.map(fetch, range(3))


async def main() -> None:
    pool = AioPool(1)
    tasks = [asyncio.create_task(fetch_all(pool)) for _ in range(2)]
    await asyncio.wait(tasks)
    await pool.join()
    for task in tasks:
        assert task.cancelled() or task.cancelling() == 0, "a task that was cancelled went on"
