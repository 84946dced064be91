"""aiohttp: cleanup ends, each request is answered or its connection closed, and a client that goes harms no other."""

from __future__ import annotations

import asyncio
import logging

from aiohttp import web

from ..fakes.http_client import connected, get, request, response
from ..fakes.patience import end
from ..harness import Harness

PORT = 8000

logging.getLogger("aiohttp.server").addHandler(logging.NullHandler())  # of clients that go


async def handle(received: web.Request) -> web.StreamResponse:
    await received.read()
    answer = web.StreamResponse(headers={"Content-Length": "6"})
    await answer.prepare(received)
    await answer.write(b"hel")
    await asyncio.sleep(0.02)
    await answer.write(b"lo\n")
    return answer


async def fetch(begin: float) -> bytes | None:
    await asyncio.sleep(begin)
    return await get(PORT, "/", b"a body")


async def keep(part: bytes) -> bytes | None:
    """Send a request and a part of another one over one connection, and keep it."""
    try:
        async with connected(PORT) as (reader, writer):
            writer.write(request("/", b"a body"))
            first = await response(reader)
            writer.write(part)
            await reader.read()
            return first
    except ConnectionError:
        return None


async def main() -> list[object]:
    app = web.Application()
    app.router.add_route("*", "/", handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "localhost", PORT).start()
    clients = [asyncio.create_task(fetch(begin)) for begin in (0, 0.05)]
    clients += [asyncio.create_task(keep(part)) for part in (b"", b"GET / HTTP/1.1\r\n")]
    await asyncio.sleep(0.08)
    await end(asyncio.create_task(runner.cleanup()), "cleanup does not end")
    answers = await asyncio.gather(*clients, return_exceptions=True)
    for answer in answers:
        assert answer in (b"hello\n", None) or isinstance(answer, asyncio.CancelledError), f"{answer!r}"
    await asyncio.sleep(1)  # what is closing ends
    return [answer for answer in answers if isinstance(answer, bytes)]


HARNESS = Harness("aiohttp", main, cancel="fetch,keep", slow=True)
