"""uvicorn: shutdown ends, and ends the connections on which a client has sent nothing, or a part of a request."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn

from ..fakes.http_client import connected
from ..fakes.in_order import InOrder
from ..fakes.patience import end
from ..harness import Harness

PORT = 8000


async def app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


async def idle(begin: float, part: bytes) -> bytes:
    """Send a part of a request, and wait for the server to close the connection."""
    await asyncio.sleep(begin)
    try:
        async with connected(PORT) as (reader, writer):
            writer.write(part)
            return await reader.read()
    except ConnectionError:
        return b"refused"


async def main() -> list[object]:
    server = uvicorn.Server(
        uvicorn.Config(app, "localhost", PORT, log_config=None, lifespan="off", http="h11", ws="none")
    )
    server.server_state.connections = InOrder()
    server.server_state.tasks = InOrder()
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    parts = b"", b"GET / HTTP/1.1\r\n", b"", b""
    clients = [asyncio.create_task(idle(0.02 * number, part)) for number, part in enumerate(parts)]
    await asyncio.sleep(0.05)
    server.should_exit = True
    await end(serving, "shutdown does not end while a client is idle")
    await serving
    return await asyncio.gather(*clients, return_exceptions=True)


HARNESS = Harness(
    "uvicorn",
    main,
    cancel="idle",
    slow=True,
    finds={"AssertionError: shutdown does not end*": "uvicorn_idle"},
)
