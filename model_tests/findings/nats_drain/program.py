"""A worker drains its client, and may be interrupted: then it must stop.

loopspec explore nats_drain/program.py:main --cancel work
"""

import asyncio

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg

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


async def handle(message: Msg) -> None:
    await asyncio.sleep(0.01)


async def work(client: Client) -> None:
    await client.drain()


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 4222)
    client = await nats.connect("nats://localhost:4222", error_cb=ignore, allow_reconnect=False)
    await client.subscribe("news", cb=handle)
    await client.publish("news")
    await client.flush()
    worker = asyncio.create_task(work(client))
    await asyncio.wait([worker])
    await client.close()
    server.close()
    assert worker.cancelled() or not worker.cancelling(), "a task goes on although it was cancelled"
