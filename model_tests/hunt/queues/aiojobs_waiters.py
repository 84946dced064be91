"""aiojobs: a pending job starts when a place is free, and a job goes on when its waiter is cancelled."""

from __future__ import annotations

import asyncio

from aiojobs import Scheduler

from ..harness import Harness

LIMIT = 2
JOBS = 4


async def meet(barrier: asyncio.Barrier, number: int) -> int:
    # Two jobs need each other: they end only if both places are used.
    async with barrier:
        return number


async def wait(scheduler: Scheduler, barrier: asyncio.Barrier, number: int) -> int:
    job = await scheduler.spawn(meet(barrier, number))
    result: int = await job.wait()
    return result


async def wait_some_time(scheduler: Scheduler, ended: list[str]) -> None:
    async def work() -> None:
        try:
            await asyncio.sleep(0.02)
            ended.append("done")
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    job = await scheduler.spawn(work())
    await job.wait(timeout=0.01)


async def main() -> list[int]:
    barrier = asyncio.Barrier(LIMIT)
    ended: list[str] = []
    async with Scheduler(limit=LIMIT, pending_limit=1) as scheduler:
        waiter = asyncio.create_task(wait_some_time(scheduler, ended))
        await asyncio.wait([waiter])
        while len(scheduler):
            await asyncio.sleep(0.01)
        assert not waiter.cancelled() or "cancelled" not in ended, (
            "a job was cancelled, and its waiter had gone"
        )
        assert waiter.cancelled() or isinstance(waiter.exception(), TimeoutError | type(None)), (
            f"{waiter.exception()!r}"
        )
        waiters = [asyncio.create_task(wait(scheduler, barrier, number)) for number in range(JOBS)]
        results = await asyncio.gather(*waiters, return_exceptions=True)
    return [result for result in results if isinstance(result, int)]


HARNESS = Harness(
    "aiojobs",
    main,
    cancel="wait_some_time",
    # The TimeoutError of a waiter that has gone is never retrieved.
    leaks="tasks",
    slow=True,
    finds={
        "DeadlockError*": "aiojobs_slot",
        "AssertionError: a job was cancelled, and its waiter had gone": "aiojobs_wait",
    },
)
