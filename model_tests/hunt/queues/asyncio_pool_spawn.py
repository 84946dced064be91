"""asyncio-pool: no more than its size run at once, a cancel ends its caller and no other, join() ends."""

from __future__ import annotations

import asyncio

from asyncio_pool import AioPool

from ..harness import Harness

SIZE = 2
CALLERS = 3


class Work:
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


async def call(pool: AioPool, work: Work, number: int) -> int:
    result: int = await pool.exec(work.run(number))
    return result


async def call_each(pool: AioPool, work: Work) -> list[int]:
    results: list[int] = await pool.map(work.run, range(CALLERS))
    return results


async def wait(pool: AioPool) -> None:
    await pool.join()


async def main() -> list[int]:
    pool, work = AioPool(SIZE), Work()
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


HARNESS = Harness(
    "asyncio-pool",
    main,
    cancel="call,call_each,wait",
    finds={
        "AssertionError: a caller was cancelled and went on": "asyncio_pool_map",
        "DeadlockError*": "asyncio_pool_join",
    },
)
