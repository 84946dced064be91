"""Harnesses of asyncio_pool."""

import asyncio
from typing import Any

from asyncio_pool import AioPool

from ..harness import harness_of

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


@harness_of("asyncio-pool", cancel="stop", finds={"DeadlockError*": "asyncio_pool_cancel"})
async def asyncio_pool_cancel() -> int:
    """cancel() of one call ends it wherever it is, and the others and join() go on."""
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


SIZE = 2
CALLERS = 3


class PoolWork:
    """The coroutine functions that the pool runs, and how many of them run."""

    def __init__(self) -> None:
        self.running = self.most = 0

    async def run(self, number: int) -> int:
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await asyncio.sleep(0.01 * number)
        finally:
            self.running -= 1
        return number


async def call(pool: AioPool, work: PoolWork, number: int) -> int:
    result: int = await pool.exec(work.run(number))
    return result


async def call_each(pool: AioPool, work: PoolWork) -> list[int]:
    results: list[int] = await pool.map(work.run, range(CALLERS))
    return results


async def wait(pool: AioPool) -> None:
    await pool.join()


@harness_of(
    "asyncio-pool",
    cancel="call,call_each,wait",
    finds={
        "AssertionError: a caller was cancelled and went on": "asyncio_pool_map",
        "DeadlockError*": "asyncio_pool_join",
    },
)
async def asyncio_pool_spawn() -> list[int]:
    """No more than its size run at once, a cancel ends its caller and no other, join() ends."""
    pool, work = AioPool(SIZE), PoolWork()
    callers = [asyncio.create_task(call(pool, work, number)) for number in range(CALLERS)]
    mapper = asyncio.create_task(call_each(pool, work))
    joiner = asyncio.create_task(wait(pool))
    await asyncio.wait([*callers, mapper, joiner])
    assert work.most <= SIZE, f"{work.most} ran at once"
    await pool.join()
    assert pool.n_active == 0, f"{pool.n_active} are active, and none runs"
    last = await pool.map(work.run, range(CALLERS))
    assert last == [0, 1, 2], f"the pool is used again: {last}"
    for number, caller in enumerate(callers):
        assert caller.cancelled() or caller.result() == number, f"{number}: {caller.result()!r}"
    assert mapper.cancelled() or not mapper.cancelling(), "a caller was cancelled and went on"
    assert mapper.cancelled() or mapper.result() == last, f"{mapper.result()}"
    return [caller.result() for caller in callers if not caller.cancelled()]
