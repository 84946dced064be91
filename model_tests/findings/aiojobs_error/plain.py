"""A job fails, and no task waits for it: none ever did, or it was cancelled.  The error should be reported."""

import asyncio

import aiojobs


async def work() -> None:
    await asyncio.sleep(0.1)
    raise ValueError


async def main(waits: bool) -> str:
    reports = []
    scheduler = aiojobs.Scheduler(exception_handler=lambda _, context: reports.append(context))
    job = await scheduler.spawn(work())
    if waits:
        waiter = asyncio.create_task(job.wait())
        await asyncio.sleep(0.05)
        waiter.cancel()
    await asyncio.sleep(0.2)
    await scheduler.close()
    return f"{len(reports)} reports"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("no task has waited:", outcome(False))
    print("a task has waited, and was cancelled:", outcome(True))
