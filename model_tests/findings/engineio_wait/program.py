"""A task watches for the end of a connection, and is cancelled.  The connection itself must go on.

loopspec explore engineio_wait/program.py:main --cancel watch
"""

import asyncio

import engineio
from aiohttp import web


async def watch(client: engineio.AsyncClient) -> None:
    await client.wait()


async def main() -> None:
    server = engineio.AsyncServer(async_mode="aiohttp", monitor_clients=False)
    server.on("message", server.send)
    app = web.Application()
    server.attach(app)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "localhost", 8080).start()

    client = engineio.AsyncClient(handle_sigint=False)
    answers: asyncio.Queue[str] = asyncio.Queue()
    client.on("message", answers.put)
    await client.connect("http://localhost:8080", transports=["websocket"])
    watcher = asyncio.create_task(watch(client))
    await asyncio.sleep(0.1)
    await client.send("hello")
    await asyncio.sleep(1)
    assert not answers.empty(), f"no answer, and the client is {client.state}"
    await client.disconnect()
    await asyncio.wait([watcher])
    await runner.cleanup()
