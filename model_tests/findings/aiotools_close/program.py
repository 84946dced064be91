"""A task closes a supervisor, and may be cancelled: both must end.

loopspec explore aiotools_close/program.py:main --cancel close
"""

import asyncio

import aiotools


async def serve() -> None:
    try:
        await asyncio.sleep(1)
    finally:
        await asyncio.sleep(0.01)  # says good-bye


async def own(scopes: list[aiotools.Supervisor]) -> None:
    async with aiotools.Supervisor() as scope:
        scopes.append(scope)
        scope.create_task(serve())
        await asyncio.sleep(1)


async def close(scope: aiotools.Supervisor) -> None:
    await scope.aclose()


async def main() -> None:
    scopes: list[aiotools.Supervisor] = []
    owner = asyncio.create_task(own(scopes))
    while not scopes:
        await asyncio.sleep(0.01)
    closer = asyncio.create_task(close(scopes[0]))
    _, waiting = await asyncio.wait([owner, closer], timeout=10)
    assert not waiting, "the scope or its aclose() waits, and no task is left"
