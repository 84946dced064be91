"""The clients of a server that answers hello, slowly; whatever becomes of it, each is answered or let go."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from .http_client import connected, get, request, response

PORT: Final = 8000


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
