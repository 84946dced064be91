"""A task that maps four items over a pool is cancelled: while it waits for a place, or for the results."""

import asyncio

from asyncio_pool import AioPool


async def work(_: int) -> None:
    await asyncio.sleep(0.1)


async def main(waits_for_a_place: bool) -> str:
    pool = AioPool(1 if waits_for_a_place else 4)
    task = asyncio.create_task(pool.map(work, range(4)))
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait([task])
    await pool.join()
    return "cancelled" if task.cancelled() else "went on"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("cancelled while it waits for the results:", outcome(False))
    print("cancelled while it waits for a place:", outcome(True))
