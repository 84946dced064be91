"""A message is sent in parts, and its task is cancelled.  The next send must succeed, or raise ConnectionClosed.

loopspec explore websockets_fragments/program.py:main --cancel send
"""

import asyncio
from collections.abc import AsyncIterator

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed


async def parts() -> AsyncIterator[str]:
    for part in ("one", "two"):
        yield part
        await asyncio.sleep(0.1)


async def receive(connection: ServerConnection) -> None:
    try:
        async for _ in connection:
            pass
    except ConnectionClosed:
        pass


async def send(client: ClientConnection) -> None:
    await client.send(parts())


async def main() -> None:
    async with (
        serve(receive, "localhost", 8080, ping_interval=None),
        connect("ws://localhost:8080", ping_interval=None, proxy=None) as client,
    ):
        await asyncio.wait([asyncio.create_task(send(client))])
        try:
            await client.send("after")
        except ConnectionClosed:
            pass
