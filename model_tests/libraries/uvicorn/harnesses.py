"""Harnesses of uvicorn."""

import asyncio
from typing import Any

import uvicorn

from ..fakes.determinism import InOrder
from ..fakes.http_client import PORT, answers, connected, fetch, request, response
from ..fakes.patience import end
from ..harness import harness_of


async def empty_app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body"})


async def started(app: Any) -> tuple[uvicorn.Server, asyncio.Task[None]]:
    """Start a server of an application; return it, and its task."""
    server = uvicorn.Server(
        uvicorn.Config(app, "localhost", PORT, log_config=None, lifespan="off", http="h11", ws="none")
    )
    server.server_state.connections = InOrder()
    server.server_state.tasks = InOrder()
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    return server, serving


async def idle(begin: float, part: bytes) -> bytes:
    """Send a part of a request, and wait for the server to close the connection."""
    await asyncio.sleep(begin)
    try:
        async with connected(PORT) as (reader, writer):
            writer.write(part)
            return await reader.read()
    except ConnectionError:
        return b"refused"


@harness_of(
    "uvicorn",
    cancel="idle",
    slow=True,
    finds={"AssertionError: shutdown does not end*": "uvicorn_idle"},
)
async def uvicorn_idle() -> list[object]:
    """Shutdown ends, and ends the connections on which a client has sent nothing, or a part of a request."""
    server, serving = await started(empty_app)
    parts = b"", b"GET / HTTP/1.1\r\n", b"", b""
    clients = [asyncio.create_task(idle(0.02 * number, part)) for number, part in enumerate(parts)]
    await asyncio.sleep(0.05)
    server.should_exit = True
    await end(serving, "shutdown does not end while a client is idle")
    await serving
    return await asyncio.gather(*clients, return_exceptions=True)


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


@harness_of("uvicorn", cancel="fetch,keep", slow=True)
async def uvicorn_shutdown() -> list[object]:
    """Shutdown ends whatever the clients do, and answers each request that the application has begun."""
    server, serving = await started(app)
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
