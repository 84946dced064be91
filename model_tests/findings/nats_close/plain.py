"""A close() is cancelled, or is not; then the client is closed again.  Its connection should be closed."""

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


async def main(cancels: bool) -> str:
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


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("close() is not cancelled:", outcome(False))
    print("close() is cancelled:", outcome(True))
