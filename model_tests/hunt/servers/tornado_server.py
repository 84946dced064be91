"""tornado: a web server serves each client though others go, and close_all_connections() ends all, at any step."""

from __future__ import annotations

import asyncio
import logging

from tornado import httpserver, web

from ..fakes.hello import PORT, answers, fetch, keep
from ..fakes.in_order import InOrder
from ..fakes.patience import end
from ..harness import Harness

logging.getLogger("tornado").addHandler(logging.NullHandler())  # of clients that go


class Hello(web.RequestHandler):
    async def get(self) -> None:
        self.set_header("Content-Length", "6")
        self.write("hel")
        await self.flush()
        await asyncio.sleep(0.02)
        self.write("lo\n")

    post = get


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
    hello = await answers(clients)
    await asyncio.sleep(1)  # what is closing ends
    return hello


HARNESS = Harness("tornado", main, cancel="fetch,keep", slow=True)
