"""A task drains a subscription, or the whole client, and is cancelled meanwhile.  It should stop."""

import asyncio

import nats
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


async def handle(message: Msg) -> None:
    await asyncio.sleep(0.3)


async def main(whole: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = await nats.connect(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    subscription = await client.subscribe("news", cb=handle)
    await client.publish("news")
    await client.flush()

    async def work() -> str:
        await (client.drain() if whole else subscription.drain())
        return "goes on, although it was cancelled"

    worker = asyncio.create_task(work())
    await asyncio.sleep(0.1)
    worker.cancel()
    await asyncio.wait([worker])
    await client.close()
    server.close()
    return "stops" if worker.cancelled() else worker.result()


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("a subscription is drained:", outcome(False))
    print("the client is drained:", outcome(True))
