"""A flush() is given up before its answer arrives, or is not.  Then a message is sent, which should arrive."""

import asyncio
import logging

import nats

DELAY = 0.3


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


async def main(gives_up: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
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


def outcome(wrong: bool) -> str:
    logging.disable()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("flush() is not given up:", outcome(False))
    print("flush() is given up:", outcome(True))
