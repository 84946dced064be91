"""Two tasks read messages, and may be interrupted: a message that no reader has got must still be there.

loopspec explore nats_next/program.py:main --cancel read
"""

import asyncio

import nats
from nats.aio.subscription import Subscription

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


async def read(subscription: Subscription, got: list[bytes]) -> None:
    while True:
        message = await subscription.next_msg(timeout=None)
        got.append(message.data)


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 4222)
    client = await nats.connect("nats://localhost:4222", error_cb=ignore, allow_reconnect=False)
    subscription = await client.subscribe("news")
    got: list[bytes] = []
    readers = [asyncio.create_task(read(subscription, got)) for _ in range(2)]
    for number in range(3):
        await client.publish("news", b"%d" % number)
        await client.flush()
    await asyncio.sleep(0.1)
    for reader in readers:
        reader.cancel()
    await asyncio.wait(readers)
    while subscription.pending_msgs:
        got.append((await subscription.next_msg()).data)
    await client.close()
    server.close()
    assert len(got) == 3, f"messages are lost: got {got}"
