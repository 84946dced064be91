"""hypercorn: shutdown ends whatever the clients do, and each request is answered or its connection closed."""

from __future__ import annotations

import asyncio
from typing import Any

from hypercorn.asyncio import run, serve
from hypercorn.config import Config

from ..fakes.hello import PORT, answers, fetch, keep
from ..fakes.in_order import InOrder
from ..fakes.patience import end
from ..harness import Harness

run.set = InOrder  # of the tasks of the connections


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"6")]})
    await send({"type": "http.response.body", "body": b"hel", "more_body": True})
    await asyncio.sleep(0.02)
    await send({"type": "http.response.body", "body": b"lo\n"})


def settings(**values: object) -> Config:
    config = Config()
    config.bind = [f"localhost:{PORT}"]
    config.errorlog = None
    for name, value in values.items():
        setattr(config, name, value)
    return config


async def main() -> list[object]:
    stop = asyncio.Event()
    serving = asyncio.create_task(serve(app, settings(), shutdown_trigger=stop.wait))
    await asyncio.sleep(0.01)
    clients = [asyncio.create_task(fetch(begin)) for begin in (0, 0.04)]
    clients += [asyncio.create_task(keep(part)) for part in (b"", b"GET / HTTP/1.1\r\n")]
    await asyncio.sleep(0.07)
    stop.set()
    await end(serving, "shutdown does not end")
    await serving
    return await answers(clients)


HARNESS = Harness(
    "hypercorn",
    main,
    cancel="fetch,keep",
    slow=True,
    allowed={
        "Leaked: *StreamReaderProtocol.connection_made.*CancelledError()*": (
            "graceful_timeout cancels a connection, and the streams of CPython 3.11 report that"
        ),
        "LifespanTimeoutError: *": "startup_timeout and shutdown_timeout are options",
    },
)
