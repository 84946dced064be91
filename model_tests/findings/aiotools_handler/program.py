"""A group logs the errors of its tasks: each error must be logged, also if nothing waits for the result any more.

loopspec explore aiotools_handler/program.py:main --cancel use
"""

import asyncio
from types import TracebackType

import aiotools


async def fail() -> None:
    await asyncio.sleep(0.01)
    raise ValueError


async def use(group: aiotools.PersistentTaskGroup, used: list[None]) -> None:
    used.append(None)
    await group.create_task(fail())


async def main() -> None:
    logged: list[BaseException] = []
    used: list[None] = []

    async def log(_: type[BaseException], error: BaseException, __: TracebackType) -> None:
        logged.append(error)

    async with aiotools.PersistentTaskGroup(exception_handler=log) as group:
        users = [asyncio.create_task(use(group, used)) for _ in range(2)]
        await asyncio.sleep(0.1)
        await asyncio.gather(*users, return_exceptions=True)
    assert len(logged) == len(used), f"{len(logged)} of {len(used)} errors were logged"
