"""A client of HTTP/1.1 that shows all arrivals: a whole response, a part of one, or the end of the connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from .patience import ends

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
