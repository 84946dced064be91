"""Harnesses of websockets."""

import asyncio
import logging
from collections.abc import AsyncIterator

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from ..harness import harness_of

PORT = 8080

# The server logs each connection that ends with an error.
logging.getLogger("websockets").setLevel(logging.CRITICAL)


async def parts() -> AsyncIterator[str]:
    for part in ("one ", "two"):
        yield part
        await asyncio.sleep(0.01)


async def handle(connection: ServerConnection) -> None:
    for message in ("first", parts(), "last"):
        await connection.send(message)
    async for message in connection:
        await connection.send(message)


async def receive(client: ClientConnection, got: list[str]) -> None:
    for _ in range(2):
        got.append(await client.recv())


async def send(client: ClientConnection) -> None:
    await client.send(parts())


async def session() -> list[str]:
    got: list[str] = []
    async with (
        serve(handle, "localhost", PORT, compression=None, ping_interval=None),
        connect(f"ws://localhost:{PORT}", compression=None, ping_interval=None, proxy=None) as client,
    ):
        await asyncio.wait([asyncio.create_task(receive(client, got))])
        while len(got) < 3:
            got.append(await client.recv())
        assert got == ["first", "one two", "last"], f"what was received: {got}"
        await asyncio.wait([asyncio.create_task(send(client))])
        try:
            await client.send("after")
        except ConnectionClosed:
            return [*got, "closed"]
        while got[-1] != "after":
            got.append(await client.recv())
    return got


@harness_of(
    "websockets",
    cancel="receive,send",
    slow=True,
    finds={"ProtocolError: expected a continuation frame": "websockets_fragments"},
)
async def websockets_messages() -> list[str]:
    """Each message arrives once, whole and in order, though a receive is cancelled, or a fragmented send."""
    try:
        return await session()
    finally:
        await asyncio.sleep(0.1)  # the tasks end that close the server, and the iterator of a message
