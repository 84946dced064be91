"""A task that owns a scheduler is cancelled, in the block or at its end.  Its job should not run afterwards."""

import asyncio

import aiojobs


async def main(at_the_end: bool) -> str:
    running = 0

    async def work() -> None:
        nonlocal running
        running += 1
        try:
            await asyncio.sleep(0.3)
        finally:
            running -= 1

    async def own() -> None:
        async with aiojobs.Scheduler() as scheduler:
            await scheduler.spawn(work())
            await asyncio.sleep(0.01 if at_the_end else 10)

    owner = asyncio.create_task(own())
    await asyncio.sleep(0.1)
    owner.cancel()
    await asyncio.wait([owner])
    return f"{running} run"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("cancelled in the block:", outcome(False))
    print("cancelled at the end of the block:", outcome(True))
