"""aiohttp: cleanup ends, each request is answered or its connection closed, and a client that goes harms no other."""

from __future__ import annotations

import asyncio
import logging

from aiohttp import web

from ..fakes.hello import PORT, answers, fetch, keep
from ..fakes.patience import end
from ..harness import Harness

logging.getLogger("aiohttp.server").addHandler(logging.NullHandler())  # of clients that go


async def handle(received: web.Request) -> web.StreamResponse:
    await received.read()
    answer = web.StreamResponse(headers={"Content-Length": "6"})
    await answer.prepare(received)
    await answer.write(b"hel")
    await asyncio.sleep(0.02)
    await answer.write(b"lo\n")
    return answer


async def main() -> list[object]:
    app = web.Application()
    app.router.add_route("*", "/", handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "localhost", PORT).start()
    clients = [asyncio.create_task(fetch(begin)) for begin in (0, 0.05)]
    clients += [asyncio.create_task(keep(part, b"a body")) for part in (b"", b"GET / HTTP/1.1\r\n")]
    await asyncio.sleep(0.08)
    await end(asyncio.create_task(runner.cleanup()), "cleanup does not end")
    hello = await answers(clients)
    await asyncio.sleep(1)  # what is closing ends
    return hello


HARNESS = Harness("aiohttp", main, cancel="fetch,keep", slow=True)
