"""tornado: a web server serves each client though others go, and close_all_connections() ends all, at any step."""

from __future__ import annotations

import asyncio
import logging

from tornado import httpserver, web

from ..fakes.http_client import connected, get, request, response
from ..fakes.in_order import InOrder
from ..fakes.patience import end
from ..harness import Harness

PORT = 8000

logging.getLogger("tornado").addHandler(logging.NullHandler())  # of clients that go


class Hello(web.RequestHandler):
    async def get(self) -> None:
        self.set_header("Content-Length", "6")
        self.write("hel")
        await self.flush()
        await asyncio.sleep(0.02)
        self.write("lo\n")

    post = get


async def fetch(begin: float) -> bytes | None:
    await asyncio.sleep(begin)
    return await get(PORT, "/", b"a body")


async def keep(part: bytes) -> bytes | None:
    """Send a request and a part of another one over one connection, and keep it."""
    try:
        async with connected(PORT) as (reader, writer):
            writer.write(request("/"))
            first = await response(reader)
            writer.write(part)
            await reader.read()
            return first
    except ConnectionError:
        return None


async def main() -> list[object]:
    app = web.Application([("/", Hello)], log_function=lambda handler: None)
    server = httpserver.HTTPServer(app)
    server._connections = InOrder()  # type: ignore[assignment]
    server.listen(PORT, "localhost")
    clients = [asyncio.create_task(fetch(begin)) for begin in (0, 0.05)]
    clients += [asyncio.create_task(keep(part)) for part in (b"", b"GET / HTTP/1.1\r\n")]
    await asyncio.sleep(0.08)
    server.stop()
    await end(asyncio.ensure_future(server.close_all_connections()), "closing does not end")
    answers = await asyncio.gather(*clients, return_exceptions=True)
    for answer in answers:
        assert answer in (b"hello\n", None) or isinstance(answer, asyncio.CancelledError), f"{answer!r}"
    await asyncio.sleep(1)  # what is closing ends
    return [answer for answer in answers if isinstance(answer, bytes)]


HARNESS = Harness("tornado", main, cancel="fetch,keep", slow=True)
