"""Two messages arrive at once; the handler of the second cancels the reader of the first, or does not.

The first message should be received, by the reader or by the next call.
"""

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


async def main(cancels: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = await nats.connect(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    news = await client.subscribe("news")

    async def stop(message: Msg) -> None:
        if cancels:
            reader.cancel()

    await client.subscribe("stop", cb=stop)
    reader = asyncio.create_task(news.next_msg(timeout=None))
    await client.flush()
    # Commands are collected, so that the server gets both at once, and answers both at once.
    await client.publish("news", b"hello")
    await client.publish("stop")
    await asyncio.sleep(0.3)
    got = [] if reader.cancelled() else [await reader]
    while news.pending_msgs:
        got.append(await news.next_msg())
    await client.close()
    server.close()
    return "received" if got else "lost"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the reader is not cancelled:", outcome(False))
    print("the reader is cancelled:", outcome(True))
