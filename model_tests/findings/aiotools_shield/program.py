"""A task saves its data, shielded, and closes its connection, whatever comes: it is cancelled once.

loopspec explore aiotools_shield/program.py:main --cancel leave
"""

import asyncio

import aiotools


class Connection:
    """A connection that takes some time to close."""

    def __init__(self) -> None:
        self.open = False

    async def close(self) -> None:
        await asyncio.sleep(0.01)
        self.open = False


async def work(connection: Connection) -> None:
    connection.open = True
    try:
        async with aiotools.ShieldScope():
            await asyncio.sleep(0.01)
    except asyncio.CancelledError:
        await connection.close()
        raise
    connection.open = False


async def main() -> None:
    connection = Connection()
    worker = asyncio.create_task(work(connection))
    await asyncio.sleep(0.005)
    await asyncio.wait([asyncio.create_task(leave(worker))])
    await asyncio.wait([worker])
    assert not connection.open, "one cancel has cut short the clean-up after it"


async def leave(worker: asyncio.Task[None]) -> None:
    # A user that may leave: the worker is cancelled once then.
    try:
        await asyncio.sleep(0.001)
    except asyncio.CancelledError:
        worker.cancel()
