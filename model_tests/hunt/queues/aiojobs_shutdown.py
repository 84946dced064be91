"""aiojobs: once the block of a scheduler was left, in whichever way, no job runs, and a waiter stops no job."""

from __future__ import annotations

import asyncio

from aiojobs import Job, Scheduler

from ..harness import Harness


class Running:
    """How many jobs run."""

    def __init__(self) -> None:
        self.now = 0

    async def job(self) -> str:
        self.now += 1
        try:
            await asyncio.sleep(0.02)
        finally:
            await asyncio.sleep(0)
            self.now -= 1
        return "done"


async def wait(job: Job) -> str:
    result: str = await job.wait()
    return result


async def own(running: Running, waiters: list[asyncio.Task[str]]) -> None:
    # One job: the scheduler keeps its jobs in a set, and the run does not choose the order of a set.
    async with Scheduler() as scheduler:
        job = await scheduler.spawn(running.job())
        waiters.extend(asyncio.create_task(wait(job)) for _ in range(2))
        await asyncio.sleep(0.01)


async def hold() -> int:
    running = Running()
    waiters: list[asyncio.Task[str]] = []
    owner = asyncio.create_task(own(running, waiters))
    await asyncio.wait([owner])
    assert running.now == 0, "a job runs after its scheduler was left"
    results = await asyncio.gather(*waiters, return_exceptions=True)
    assert owner.cancelled() or "done" in results or all(waiter.cancelled() for waiter in waiters), (
        f"{results}"
    )
    return results.count("done")


async def main() -> int:
    try:
        return await hold()
    finally:
        await asyncio.sleep(1)  # wait() leaves a task to its shield, which ends with the job


HARNESS = Harness(
    "aiojobs",
    main,
    cancel="own,wait",
    finds={
        "AssertionError: a job runs after its scheduler was left": "aiojobs_exit",
        # The task of the scheduler that collects errors.
        "Leaked: the program has left behind: task Task-3": "aiojobs_exit",
    },
)
