"""A pool that is interrupted fills itself with idle connections: shutdown of the server must close them.

loopspec explore uvicorn_idle/program.py:main --cancel work
"""

import asyncio
from typing import Any

import uvicorn


async def app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


async def connect(begin: float) -> None:
    """Connect, and keep the connection until the server closes it."""
    await asyncio.sleep(begin)
    try:
        reader, writer = await asyncio.open_connection("localhost", 8000)
    except ConnectionError:
        return
    try:
        await reader.read()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def work() -> None:
    try:
        await asyncio.sleep(0.2)
    finally:
        await asyncio.gather(*(connect(0.002 * number) for number in range(50)))


async def main() -> None:
    server = uvicorn.Server(
        uvicorn.Config(app, "localhost", 8000, log_config=None, lifespan="off", http="h11", ws="none")
    )
    serving = asyncio.create_task(server.serve())
    worker = asyncio.create_task(work())
    await asyncio.sleep(0.05)
    server.should_exit = True
    done, _ = await asyncio.wait([serving], timeout=60)
    assert done, "shutdown does not end"
    await asyncio.wait([worker])
