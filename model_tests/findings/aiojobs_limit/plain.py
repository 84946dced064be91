"""A scheduler with a limit of one has one running and two pending jobs; the last is closed.  One should run."""

import asyncio

import aiojobs


async def main(closes: bool) -> str:
    running = most = 0

    async def work() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            await asyncio.sleep(0.1)
        finally:
            running -= 1

    async with aiojobs.Scheduler(limit=1) as scheduler:
        jobs = [await scheduler.spawn(work()) for _ in range(3)]
        await asyncio.sleep(0.02)
        if closes:
            await jobs[2].close()
        await asyncio.sleep(0.5)
    return f"{most} at once"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without close():", outcome(False))
    print("with close():", outcome(True))
