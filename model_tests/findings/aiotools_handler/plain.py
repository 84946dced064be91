"""A task of a group fails after the task that awaits it was cancelled, or not.  The handler should be called."""

import asyncio
import warnings
from types import TracebackType

import aiotools


async def fail() -> None:
    await asyncio.sleep(0.1)
    raise ValueError


async def main(cancels: bool) -> str:
    calls = 0

    async def report(_: type[BaseException], __: BaseException, ___: TracebackType) -> None:
        nonlocal calls
        calls += 1

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        group = aiotools.PersistentTaskGroup(exception_handler=report)
    async with group:

        async def use() -> None:
            await group.create_task(fail())

        user = asyncio.create_task(use())
        await asyncio.sleep(0.05)
        if cancels:
            user.cancel()
        await asyncio.gather(user, return_exceptions=True)
        await asyncio.sleep(0.1)
    return f"{calls} calls"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the task that awaits the result is not cancelled:", outcome(False))
    print("it is cancelled:", outcome(True))
