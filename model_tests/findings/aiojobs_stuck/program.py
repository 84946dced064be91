"""The same with a bound on pending jobs: every handler that is not cancelled must end.

loopspec explore aiojobs_stuck/program.py:main --cancel handle --runs 1000
"""

import asyncio

import aiojobs


async def work() -> str:
    await asyncio.sleep(0.05)
    return "done"


async def handle(scheduler: aiojobs.Scheduler) -> str:
    job = await scheduler.spawn(work())
    try:
        result: str = await job.wait()
    finally:
        await job.close()
    return result


async def main() -> None:
    async with aiojobs.Scheduler(limit=1, pending_limit=1) as scheduler:
        handlers = [asyncio.create_task(handle(scheduler)) for _ in range(3)]
        async with asyncio.timeout(10):
            results = await asyncio.gather(*handlers, return_exceptions=True)
    for result in results:
        assert result == "done" or isinstance(result, asyncio.CancelledError), repr(result)
