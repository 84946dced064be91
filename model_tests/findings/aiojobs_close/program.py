"""A task that closes a job, and is cancelled, must not go on.

loopspec explore aiojobs_close/program.py:main --cancel shut_down
"""

import asyncio

import aiojobs


async def stubborn() -> None:
    try:
        await asyncio.sleep(10)
    finally:
        await asyncio.sleep(0.1)


async def shut_down(job: "aiojobs.Job[None]") -> str:
    await job.close()
    await asyncio.sleep(1)
    return "went on"


async def main() -> None:
    async with aiojobs.Scheduler() as scheduler:
        job = await scheduler.spawn(stubborn())
        await asyncio.sleep(0)
        task = asyncio.create_task(shut_down(job))
        await asyncio.wait([task])
        assert task.cancelled() or task.cancelling() == 0, "a task that was cancelled went on"
