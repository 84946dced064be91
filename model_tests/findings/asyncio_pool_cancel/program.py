"""Handlers that run a call in a pool, and cancel it when they are cancelled: the next call must run.

loopspec explore asyncio_pool_cancel/program.py:main --cancel handle
"""

import asyncio
from typing import Any

from asyncio_pool import AioPool


async def work() -> str:
    await asyncio.sleep(0.01)
    return "done"


async def handle(pool: AioPool) -> Any:
    call = pool.spawn_n(work())
    try:
        await asyncio.wait([call])
    finally:
        await pool.cancel(call)
    return call.result()


async def main() -> None:
    pool = AioPool(1)
    handlers = [asyncio.create_task(handle(pool)) for _ in range(2)]
    await asyncio.wait(handlers, timeout=10)
    try:
        async with asyncio.timeout(10):
            await pool.exec(work())
    except TimeoutError:
        raise AssertionError("a call waits, and none runs") from None
