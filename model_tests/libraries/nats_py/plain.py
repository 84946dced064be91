"""Cases of nats: python plain.py [CASE...]"""

import asyncio
import logging
import sys
from functools import partial

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float = 0) -> None:
    """Pass the messages of a client to its own subscriptions; a PING is answered `delay` seconds later."""
    sids: dict[bytes, bytes] = {}
    try:
        writer.write(b'INFO {"server_id": "x", "version": "2.11.0", "max_payload": 1024}\r\n')
        while line := await reader.readline():
            match line.split():
                case [b"PING"]:
                    await asyncio.sleep(delay)
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


async def close(cancels: bool) -> str:
    """A close() is cancelled, or is not; then the client is closed again.  Its connection should be closed."""
    ended = asyncio.Event()

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await serve(reader, writer)
        ended.set()

    server = await asyncio.start_server(served, "127.0.0.1", 0)
    client = await nats.connect(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    closer = asyncio.create_task(client.close())
    await asyncio.sleep(0)
    if cancels:
        closer.cancel()
    await asyncio.wait([closer])
    await client.close()
    try:
        await asyncio.wait_for(ended.wait(), 0.5)
    except TimeoutError:
        return "open, although the client is closed"
    finally:
        server.close()
    return "closed"


async def connect(by_function: bool) -> str:
    """The server accepts a connection and says nothing; connect() gives up.  The connection should be closed.

    The control makes the client itself, and closes it.
    """
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        ended.set()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    client = Client()
    try:
        if by_function:
            await nats.connect(url, connect_timeout=0.2, allow_reconnect=False)
        else:
            await client.connect(url, connect_timeout=0.2, allow_reconnect=False)
    except TimeoutError:
        pass
    finally:
        if not by_function:
            await client.close()
    try:
        await asyncio.wait_for(ended.wait(), 0.5)
    except TimeoutError:
        return "left open"
    finally:
        server.close()
    return "closed"


async def drain(whole: bool) -> str:
    """A task drains a subscription, or the whole client, and is cancelled meanwhile.  It should stop."""
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


async def flush(gives_up: bool) -> str:
    """A flush() is given up before its answer arrives, or is not.  Then a message is sent, which should arrive."""
    server = await asyncio.start_server(partial(serve, delay=0.3), "127.0.0.1", 0)
    client = await nats.connect(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    subscription = await client.subscribe("news")
    try:
        await asyncio.wait_for(client.flush(), 0.1 if gives_up else 5)
    except TimeoutError:
        await asyncio.sleep(0.4)
    await client.publish("news", b"hello")
    try:
        shown = "a message" if await subscription.next_msg(timeout=0.5) else "nothing"
    except nats.errors.TimeoutError:
        shown = f"no message, though the connection is {'open' if client.is_connected else 'closed'}"
    await client.close()
    server.close()
    return shown


async def next(cancels: bool) -> str:
    """Two messages arrive at once; the handler of the second cancels the reader of the first, or does not.

    The first message should be received, by the reader or by the next call.
    """
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


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "close": (close, "close() is not cancelled", "close() is cancelled"),
    "connect": (connect, "a client that is closed", "nats.connect()"),
    "drain": (drain, "a subscription is drained", "the client is drained"),
    "flush": (flush, "flush() is not given up", "flush() is given up"),
    "next": (next, "the reader is not cancelled", "the reader is cancelled"),
}


def outcome(case: str, wrong: bool) -> str:
    logging.disable()
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
