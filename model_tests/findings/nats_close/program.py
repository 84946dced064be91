"""A client is closed, which may be interrupted, and closed again.  The server must see the end of the connection.

loopspec explore nats_close/program.py:main --cancel stop
"""

import asyncio

import nats
from nats.aio.client import Client

DELAY = 0.0


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass the messages of a client to its own subscriptions; a PING is answered a little later."""
    sids: dict[bytes, bytes] = {}
    try:
        writer.write(b'INFO {"server_id": "x", "version": "2.11.0", "max_payload": 1024}\r\n')
        while line := await reader.readline():
            match line.split():
                case [b"PING"]:
                    await asyncio.sleep(DELAY)
                    writer.write(b"PONG\r\n")
                case [b"SUB", subject, *_, sid]:
                    sids[subject] = sid
                case [b"PUB", subject, *_, size]:
                    payload = await reader.readexactly(int(size) + 2)
                    if subject in sids:
                        writer.write(b"MSG %b %b %b\r\n" % (subject, sids[subject], size) + payload)
            await writer.drain()
    except (OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def ignore(error: Exception) -> None:
    """Do not log errors of the connection."""


async def stop(client: Client) -> None:
    await client.close()


async def main() -> None:
    ended = asyncio.Event()

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await serve(reader, writer)
        ended.set()

    server = await asyncio.start_server(served, "localhost", 4222)
    client = await nats.connect("nats://localhost:4222", error_cb=ignore, allow_reconnect=False)
    await asyncio.wait([asyncio.create_task(stop(client))])
    await client.close()
    try:
        await asyncio.wait_for(ended.wait(), 10)
    except TimeoutError:
        raise AssertionError("the connection of a closed client is open") from None
    server.close()
