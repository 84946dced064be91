"""aiojobs: the error of a job goes to the task that waits for it, or to the exception handler of the scheduler."""

from __future__ import annotations

import asyncio
from typing import Any

from aiojobs import Job, Scheduler

from ..harness import Harness

# Any: an error, or the context of one.


async def work() -> None:
    await asyncio.sleep(0.1)
    raise ValueError


async def handle(job: Job[None], errors: list[Any]) -> None:
    try:
        await job.wait()
    except ValueError as error:
        errors.append(error)
    except asyncio.CancelledError:
        if not job.active:
            errors.append("it was about to get the error")
        raise


async def main() -> int:
    errors: list[Any] = []
    async with Scheduler(exception_handler=lambda _, context: errors.append(context)) as scheduler:
        job = await scheduler.spawn(work())
        handler = asyncio.create_task(handle(job, errors))
        await asyncio.wait([handler])
        await asyncio.sleep(1)
    assert errors, "a job has failed, and its error was reported nowhere"
    return len(errors)


HARNESS = Harness(
    "aiojobs",
    main,
    cancel="handle",
    # asyncio reports the error that aiojobs does not.
    leaks="tasks",
    finds={"AssertionError: a job has failed, and its error was reported nowhere": "aiojobs_error"},
)
