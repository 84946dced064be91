"""uvicorn: shutdown ends whatever the clients do, and answers each request that the application has begun."""

from __future__ import annotations

import asyncio
from typing import Any

import uvicorn

from ..fakes.hello import PORT, answers, fetch
from ..fakes.http_client import connected, request, response
from ..fakes.in_order import InOrder
from ..fakes.patience import end
from ..harness import Harness


async def app(scope: Any, receive: Any, send: Any) -> None:
    assert scope["type"] == "http"
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(0.01)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"6")]})
    await send({"type": "http.response.body", "body": b"hel", "more_body": True})
    await asyncio.sleep(0.02)
    await send({"type": "http.response.body", "body": b"lo\n"})


async def keep(begin: float) -> bytes | None:
    """Send two requests over one connection, and keep it."""
    await asyncio.sleep(begin)
    try:
        async with connected(PORT) as (reader, writer):
            writer.write(request("/") + request("/"))
            first = await response(reader)
            await response(reader)
            await reader.read()
            return first
    except ConnectionError:
        return None


async def main() -> list[object]:
    server = uvicorn.Server(
        uvicorn.Config(app, "localhost", PORT, log_config=None, lifespan="off", http="h11", ws="none")
    )
    server.server_state.connections = InOrder()
    server.server_state.tasks = InOrder()
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    clients = [asyncio.create_task(fetch(0.03 * number)) for number in range(3)]
    clients += [asyncio.create_task(keep(0)), asyncio.create_task(keep(0.05))]
    await asyncio.sleep(0.09)
    server.should_exit = True
    await end(serving, "shutdown does not end")
    await serving
    hello = await answers(clients)
    assert not server.server_state.connections
    assert not server.server_state.tasks
    return hello


HARNESS = Harness("uvicorn", main, cancel="fetch,keep", slow=True)
