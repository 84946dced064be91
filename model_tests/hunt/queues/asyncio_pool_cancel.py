"""asyncio-pool: cancel() of one call ends it wherever it is, and the others and join() go on."""

from __future__ import annotations

import asyncio
from typing import Any

from asyncio_pool import AioPool

from ..harness import Harness

STEPS = 5


async def work(number: int) -> int:
    await asyncio.sleep(0.001)
    return number


async def stop(pool: AioPool, futures: list[Any]) -> None:
    # It is cancelled after some steps, and cancels a call then.
    try:
        for _ in range(STEPS):
            await asyncio.sleep(0.0005)
    except asyncio.CancelledError:
        await pool.cancel(futures[1])


async def main() -> int:
    pool = AioPool(1)
    futures = [pool.spawn_n(work(number)) for number in range(3)]
    stopper = asyncio.create_task(stop(pool, futures))
    await asyncio.wait([stopper])
    await pool.join()
    for number, future in enumerate(futures):
        assert future.done(), f"call {number} has no result after join()"
    results = await asyncio.gather(*futures, return_exceptions=True)
    assert (results[0], results[2]) == (0, 2), f"the others: {results}"
    assert pool.is_empty, f"{len(pool)} calls are in the pool after join()"
    assert await pool.exec(work(3)) == 3
    return results[1] == 1


HARNESS = Harness("asyncio-pool", main, cancel="stop", finds={"DeadlockError*": "asyncio_pool_cancel"})
