"""A scheduler is closed with three jobs: the third is pending, or its spawn() waits.  No job should run then."""

import asyncio

import aiojobs


async def main(waits: bool) -> str:
    running = 0

    async def work() -> None:
        nonlocal running
        running += 1
        try:
            await asyncio.sleep(10)
        finally:
            running -= 1

    # With one place in the queue, the spawn() of the third job waits.
    scheduler = aiojobs.Scheduler(limit=1, pending_limit=1 if waits else 2)
    spawners = [asyncio.create_task(scheduler.spawn(work())) for _ in range(3)]
    await asyncio.sleep(0.01)
    await scheduler.close()
    await asyncio.wait(spawners, timeout=0.1)
    return f"{running} run after close()"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the third job is pending:", outcome(False))
    print("the spawn() of the third job waits:", outcome(True))
