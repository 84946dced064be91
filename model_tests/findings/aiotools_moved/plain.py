"""A timeout encloses a block that moves on after 50 ms, or before.  At its end it should raise TimeoutError."""

import asyncio

import aiotools


async def main(moves_on: bool) -> str:
    async def work() -> str:
        try:
            async with asyncio.timeout(0.3):
                async with aiotools.move_on_after(0.05):
                    await asyncio.sleep(1 if moves_on else 0.01)
                await asyncio.sleep(1)
        except TimeoutError:
            return "TimeoutError"
        return "in time"

    task = asyncio.create_task(work())
    await asyncio.wait([task])
    return "CancelledError" if task.cancelled() else task.result()


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the block ends in time:", outcome(False))
    print("the block is ended by move_on_after():", outcome(True))
