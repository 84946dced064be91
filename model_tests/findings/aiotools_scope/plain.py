"""A task that awaits a race is cancelled, before there is a winner or while the loser ends.  The task should end."""

import asyncio

import aiotools


async def work(seconds: float) -> None:
    try:
        await asyncio.sleep(seconds)
    finally:
        await asyncio.sleep(0.1)


async def main(late: bool) -> str:
    async def use() -> str:
        await aiotools.race([work(0.1), work(10)])
        await asyncio.sleep(0.5)
        return "went on"

    task = asyncio.create_task(use())
    await asyncio.sleep(0.25 if late else 0.05)
    task.cancel()
    await asyncio.wait([task])
    return "cancelled" if task.cancelled() else task.result()


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("cancelled before there is a winner:", outcome(False))
    print("cancelled while the loser ends:", outcome(True))
