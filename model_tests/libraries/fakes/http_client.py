"""A client of HTTP/1.1 that shows all arrivals: a whole response, a part of one, or the end of the connection.

Of a server that answers hello, slowly, each client is answered or let go, whatever becomes of it.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Final

from .patience import ends

PORT: Final = 8000
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Streams]:
    """Connect to a server, and close the connection at the end of the block."""
    reader, writer = await asyncio.open_connection("localhost", port)
    try:
        yield reader, writer
    finally:
        writer.close()


def request(path: str, body: bytes = b"", more: str = "") -> bytes:
    """Return the bytes of a request; `more` are lines of its head."""
    method = "POST" if body else "GET"
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{more}"
    if body:
        head += f"Content-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


async def response(reader: asyncio.StreamReader) -> bytes | None:
    """Return the body of a response, which has a status of 200; None if the connection ends before it does.

    Raises:
        AssertionError: another status, or nothing arrives, and the connection stays open.
    """
    reading = asyncio.ensure_future(_response(reader))
    try:
        done = await ends(reading)
    finally:
        reading.cancel()
    assert done, "a connection is neither answered nor closed"
    return reading.result()


async def _response(reader: asyncio.StreamReader) -> bytes | None:
    try:
        status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        assert status.split()[1] == "200", f"status: {status}"
        if "transfer-encoding: chunked" in lines:
            body = b""
            while size := int(await reader.readline(), 16):
                body += await reader.readexactly(size)
                await reader.readline()
            await reader.readline()
            return body
        length = next((line.partition(": ")[2] for line in lines if line.startswith("content-length")), "0")
        return await reader.readexactly(int(length))
    except (asyncio.IncompleteReadError, ConnectionError, ValueError):  # ValueError: no size of a chunk
        return None


async def get(port: int, path: str = "/", body: bytes = b"") -> bytes | None:
    """Return a server's answer to one request; None if the connection is refused, or ends before it does."""
    try:
        async with connected(port) as (reader, writer):
            writer.write(request(path, body))
            return await response(reader)
    except ConnectionError:
        return None


async def fetch(begin: float) -> bytes | None:
    """Send one request, and close the connection."""
    await asyncio.sleep(begin)
    return await get(PORT, "/", b"a body")


async def keep(part: bytes, body: bytes = b"") -> bytes | None:
    """Send a request and a part of another one over one connection, and keep it."""
    try:
        async with connected(PORT) as (reader, writer):
            writer.write(request("/", body))
            first = await response(reader)
            writer.write(part)
            await reader.read()
            return first
    except ConnectionError:
        return None


async def answers(clients: Iterable[asyncio.Task[bytes | None]]) -> list[object]:
    """Return the answers to those clients that have one; the others were cancelled, or their connections ended."""
    found = await asyncio.gather(*clients, return_exceptions=True)
    for answer in found:
        assert answer in (b"hello\n", None) or isinstance(answer, asyncio.CancelledError), f"{answer!r}"
    return [answer for answer in found if isinstance(answer, bytes)]
