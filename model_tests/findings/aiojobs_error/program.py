"""A handler waits for a job that fails: the handler gets the error, or the scheduler reports it.

loopspec explore aiojobs_error/program.py:main --cancel handle
"""

import asyncio
from typing import Any

import aiojobs


async def work() -> None:
    await asyncio.sleep(0.1)
    raise ValueError


async def handle(job: "aiojobs.Job[None]", errors: list[Any]) -> None:
    try:
        await job.wait()
    except ValueError as error:
        errors.append(error)
    except asyncio.CancelledError:
        if not job.active:
            errors.append("it was about to get the error")
        raise


async def main() -> None:
    errors: list[Any] = []
    async with aiojobs.Scheduler(exception_handler=lambda _, context: errors.append(context)) as scheduler:
        job = await scheduler.spawn(work())
        handler = asyncio.create_task(handle(job, errors))
        await asyncio.wait([handler])
        await asyncio.sleep(1)
    assert errors, "a job has failed, and its error was reported nowhere"
