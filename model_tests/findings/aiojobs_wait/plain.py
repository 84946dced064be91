"""A task waits for a job, with a timeout or without, and is cancelled.  The job should go on to its end."""

import asyncio

import aiojobs


async def main(times: bool) -> str:
    ended = []

    async def work() -> None:
        try:
            await asyncio.sleep(0.3)
            ended.append("done")
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    scheduler = aiojobs.Scheduler()
    job = await scheduler.spawn(work())
    waiter = asyncio.create_task(job.wait(timeout=0.2 if times else None))
    await asyncio.sleep(0.05)
    waiter.cancel()
    await asyncio.wait([waiter])
    await asyncio.sleep(0.5)
    await scheduler.close()
    return f"the job is {ended[0]}"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("wait():", outcome(False))
    print("wait(timeout=0.2):", outcome(True))
