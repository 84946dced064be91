"""Harnesses of python_engineio."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import engineio
from aiohttp import web

from ..harness import harness_of

URL = "http://localhost:8080"


@asynccontextmanager
async def serving() -> AsyncIterator[None]:
    server = engineio.AsyncServer(async_mode="aiohttp", monitor_clients=False)
    server.on("message", server.send)
    app = web.Application()
    server.attach(app)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "localhost", 8080).start()
    try:
        yield
    finally:
        await runner.cleanup()
        await asyncio.sleep(60)  # the tasks of the server end with the pings of its clients


async def watch(client: engineio.AsyncClient) -> None:
    await client.wait()


async def leave(client: engineio.AsyncClient) -> None:
    await client.disconnect()


async def visit(client: engineio.AsyncClient, text: str) -> str:
    answers: asyncio.Queue[str] = asyncio.Queue()
    client.on("message", answers.put)
    await client.connect(URL, transports=["websocket"])
    try:
        watcher = asyncio.create_task(watch(client))
        await asyncio.sleep(0.01)
        await client.send(text)
        answer = await answers.get()
        await asyncio.wait([asyncio.create_task(leave(client))])
    finally:
        await client.disconnect()
    await asyncio.wait([watcher])
    assert client.state == "disconnected", f"the client is {client.state}"
    return answer


@harness_of(
    "python-engineio",
    cancel="watch,leave",
    slow=True,
    finds={"TimeoutError*": "engineio_wait"},
)
async def engineio_client() -> list[str]:
    """A task that waits for the end may give up, and a client that has disconnected can connect again."""
    async with serving(), asyncio.timeout(20):
        client = engineio.AsyncClient(handle_sigint=False)
        try:
            return [await visit(client, text) for text in ("one", "two")]
        finally:
            if client.http:
                await client.http.close()
