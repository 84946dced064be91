"""A task that closes a job is cancelled meanwhile.  The cancel should end the task."""

import asyncio

import aiojobs


async def stubborn() -> None:
    try:
        await asyncio.sleep(10)
    finally:
        await asyncio.sleep(0.1)


async def main(cancels: bool) -> str:
    scheduler = aiojobs.Scheduler()
    job = await scheduler.spawn(stubborn())
    await asyncio.sleep(0)

    async def closes() -> str:
        await job.close() if cancels else await asyncio.sleep(0.1)
        return "went on"

    task = asyncio.create_task(closes())
    await asyncio.sleep(0.02)
    task.cancel()
    await asyncio.wait([task])
    await scheduler.close()
    return "cancelled" if task.cancelled() else task.result()


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("cancelled in sleep():", outcome(False))
    print("cancelled in close():", outcome(True))
