"""Two of four jobs end at once, under a limit of two.  The other two should run."""

import asyncio

import aiojobs


async def main(waits: bool) -> str:
    end = asyncio.Event()
    # With one place in the queue, the spawn() of the fourth job waits.
    scheduler = aiojobs.Scheduler(limit=2, pending_limit=1 if waits else 2)
    await scheduler.spawn(end.wait())
    await scheduler.spawn(end.wait())
    await scheduler.spawn(asyncio.sleep(10))
    spawner = asyncio.create_task(scheduler.spawn(asyncio.sleep(10)))
    await asyncio.sleep(0.01)
    end.set()
    await asyncio.wait([spawner])
    await asyncio.sleep(0.2)
    shown = f"{scheduler.active_count} of 2 run, {scheduler.pending_count} waits"
    await scheduler.close()
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the queue has room:", outcome(False))
    print("spawn() waits for room in the queue:", outcome(True))
