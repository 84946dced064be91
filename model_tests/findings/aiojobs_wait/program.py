"""A handler waits for a job for some time.  If the handler is cancelled, the job goes on.

loopspec explore aiojobs_wait/program.py:main --cancel handle
"""

import asyncio
from typing import Any

import aiojobs


async def handle(job: "aiojobs.Job[None]") -> Any:
    try:
        return await job.wait(timeout=0.1)
    except TimeoutError:
        return "too late"


async def main() -> None:
    printed = []

    async def work() -> None:
        await asyncio.sleep(0.3)
        printed.append("page")

    async with aiojobs.Scheduler() as scheduler:
        job = await scheduler.spawn(work())
        handler = asyncio.create_task(handle(job))
        await asyncio.wait([handler])
        await asyncio.sleep(0.5)
        assert not handler.cancelled() or printed, "the job was cancelled, and its waiter had gone"
