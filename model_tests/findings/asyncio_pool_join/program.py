"""Callers that share a pool of one, and a main that waits until the pool is empty.

loopspec explore asyncio_pool_join/program.py:main --cancel call
"""

import asyncio
from typing import Any

from asyncio_pool import AioPool


async def work(number: int) -> int:
    await asyncio.sleep(0.01)
    return number


async def call(pool: AioPool, number: int) -> Any:
    return await pool.exec(work(number))


async def main() -> None:
    pool = AioPool(1)
    callers = [asyncio.create_task(call(pool, number)) for number in range(2)]
    await asyncio.sleep(0)
    try:
        async with asyncio.timeout(10):
            await pool.join()
    except TimeoutError:
        assert not pool.is_empty, "join() waits, and the pool is empty"
        raise
    await asyncio.gather(*callers, return_exceptions=True)
