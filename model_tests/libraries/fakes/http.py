"""A server of HTTP/1.1: each request is answered after a while, in two parts, and its connection stays open."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

#: The time before each part of an answer.
PAUSE = 0.02
BODY = "hello"


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of a connection until its client closes it."""
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            for part in (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", b"lo"):
                await asyncio.sleep(PAUSE)
                writer.write(part)
                await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@asynccontextmanager
async def serving(*ports: int) -> AsyncIterator[None]:
    """Serve at ports of localhost; at the end, wait a while for the connections of the clients to end."""
    servers = [await asyncio.start_server(answer, "localhost", port) for port in ports]
    try:
        yield
    finally:
        await asyncio.sleep(1)
        for server in servers:
            server.close()
