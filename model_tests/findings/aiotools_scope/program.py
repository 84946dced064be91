"""Two servers are asked, and the first answer counts: a task that is cancelled must not go on.

loopspec explore aiotools_scope/program.py:main --cancel ask
"""

import asyncio
from typing import Any

import aiotools


async def fetch(server: int) -> int:
    try:
        await asyncio.sleep(0.01 * server)
    finally:
        await asyncio.sleep(0.01)  # closes the connection
    return server


async def ask() -> Any:
    answer, _ = await aiotools.race([fetch(1), fetch(3)])
    await asyncio.sleep(0.01)
    return answer


async def main() -> None:
    task = asyncio.create_task(ask())
    await asyncio.wait([task])
    assert task.cancelled() or task.cancelling() == 0, "a task that was cancelled went on"
