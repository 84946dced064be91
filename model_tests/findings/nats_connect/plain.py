"""The server accepts a connection and says nothing; connect() gives up.  The connection should be closed.

The control makes the client itself, and closes it.
"""

import asyncio
import logging

import nats
from nats.aio.client import Client


async def main(by_function: bool) -> str:
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


def outcome(wrong: bool) -> str:
    logging.disable()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("a client that is closed:", outcome(False))
    print("nats.connect():", outcome(True))
