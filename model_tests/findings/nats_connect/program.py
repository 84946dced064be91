"""A client connects, and may be interrupted: then no connection may be left.

loopspec explore nats_connect/program.py:main --cancel open_client
"""

import asyncio

import nats

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


async def open_client() -> None:
    client = await nats.connect("nats://localhost:4222", error_cb=ignore, allow_reconnect=False)
    await client.close()


async def main() -> None:
    open_connections = 0

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal open_connections
        open_connections += 1
        await serve(reader, writer)
        open_connections -= 1

    server = await asyncio.start_server(served, "localhost", 4222)
    await asyncio.wait([asyncio.create_task(open_client())])
    await asyncio.sleep(5)
    server.close()
    assert not open_connections, "a connection is left open"
