"""One task, or two, shut down with cancel_and_wait() of the same task.  Each should go on when the task has ended."""

import asyncio

import aiotools


async def stubborn() -> None:
    try:
        await asyncio.sleep(10)
    finally:
        await asyncio.sleep(0.1)


async def main(twice: bool) -> str:
    task = asyncio.create_task(stubborn())
    await asyncio.sleep(0.01)

    async def shut_down() -> str:
        await aiotools.cancel_and_wait(task)
        return "went on"

    callers = [asyncio.create_task(shut_down()) for _ in range(1 + twice)]
    await asyncio.wait(callers)
    return "cancelled" if callers[0].cancelled() else callers[0].result()


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the only caller:", outcome(False))
    print("the first of two callers:", outcome(True))
