"""Two jobs are closed at once, the third is waited for, with limit=1 and pending_limit=1.  The third should end."""

import asyncio

import aiojobs


async def work() -> None:
    await asyncio.sleep(0.05)


async def main(closes: bool) -> str:
    scheduler = aiojobs.Scheduler(limit=1, pending_limit=1)

    async def first() -> None:
        job = await scheduler.spawn(work())
        await (job.close() if closes else job.wait())

    async def last() -> str:
        job = await scheduler.spawn(work())
        await job.wait()
        return "ended"

    tasks = [asyncio.create_task(body()) for body in (first, first, last)]
    await asyncio.wait(tasks, timeout=1)
    outcome = tasks[2].result() if tasks[2].done() else "never began"
    tasks[2].cancel()
    await asyncio.wait(tasks)
    await scheduler.close()
    return str(outcome)


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without close():", outcome(False))
    print("with close():", outcome(True))
