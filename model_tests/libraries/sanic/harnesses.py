"""Harnesses of sanic."""

import asyncio
import logging

from sanic import Request, Sanic
from sanic.response import HTTPResponse

from ..fakes.determinism import InOrder
from ..fakes.http_client import PORT, answers, fetch, keep
from ..fakes.patience import end
from ..harness import harness_of

for name in ("sanic.error", "sanic.access", "sanic.server", "sanic.root"):  # of clients that go
    logging.getLogger(name).addHandler(logging.NullHandler())


async def handle(received: Request) -> HTTPResponse | None:
    answer = await received.respond(headers={"content-length": "6"})
    await answer.send("hel")
    await asyncio.sleep(0.02)
    await answer.send("lo\n")
    await answer.eof()
    return None


@harness_of("sanic", cancel="fetch,keep", slow=True)
async def sanic_requests() -> list[object]:
    """Each request is answered or its connection closed, a disconnecting client does not affect the others, and the
    server stops.
    """
    Sanic._app_registry.clear()
    app = Sanic("hello", configure_logging=False)
    app.config.update(MOTD=False, TOUCHUP=False, ACCESS_LOG=False, KEEP_ALIVE_TIMEOUT=5, REQUEST_TIMEOUT=5)
    app.add_route(handle, "/", methods=["POST"])
    server = await app.create_server("localhost", PORT, return_asyncio_server=True)
    assert server is not None
    server.connections = InOrder()
    await server.startup()
    await server.start_serving()
    clients = [asyncio.create_task(fetch(begin)) for begin in (0, 0.05)]
    clients += [asyncio.create_task(keep(part, b"a body")) for part in (b"", b"POST / HTTP/1.1\r\n")]
    await asyncio.sleep(0.08)
    await end(asyncio.ensure_future(server.close()), "closing does not end")
    # A client that waits is let go by REQUEST_TIMEOUT, RESPONSE_TIMEOUT or KEEP_ALIVE_TIMEOUT.
    for client in clients:
        await end(client, "a client waits")
    hello = await answers(clients)
    await asyncio.sleep(1)  # closing connections end
    return hello
