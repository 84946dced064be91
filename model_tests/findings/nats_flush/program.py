"""A flush() may be interrupted: the client must still receive messages.

loopspec explore nats_flush/program.py:main --cancel flush
"""

import asyncio

import nats
from nats.aio.client import Client
from nats.errors import TimeoutError as Late

DELAY = 0.01


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


async def flush(client: Client) -> None:
    await client.flush()


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 4222)
    client = await nats.connect("nats://localhost:4222", error_cb=ignore, allow_reconnect=False)
    subscription = await client.subscribe("news")
    await asyncio.wait([asyncio.create_task(flush(client))])
    await asyncio.sleep(0.1)
    await client.publish("news", b"hello")
    try:
        await subscription.next_msg(timeout=10)
    except Late:
        raise AssertionError("the client receives nothing") from None
    finally:
        await client.close()
        server.close()
