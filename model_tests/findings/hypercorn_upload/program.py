"""The application stops storing an upload and says so: the connection must be closed when the client closes it.

loopspec explore hypercorn_upload/program.py:main --cancel store
"""

import asyncio
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config

PARTS = 30


async def store(receive: Any) -> None:
    """Store each part of the body."""
    while (await receive()).get("more_body"):
        await asyncio.sleep(0.005)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        raise NotImplementedError
    storing = asyncio.create_task(store(receive))
    await asyncio.wait([storing])
    if storing.cancelled():
        await asyncio.sleep(0.2)  # what was stored is removed
    await send({"type": "http.response.start", "status": 503 if storing.cancelled() else 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


async def upload() -> None:
    reader, writer = await asyncio.open_connection("localhost", 8000)
    head = f"POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {PARTS * 10}\r\n\r\n"
    try:
        writer.write(head.encode())
        for _ in range(PARTS):
            writer.write(bytes(10))
            await asyncio.sleep(0.001)
        await asyncio.wait_for(reader.read(), 1)
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()


def connections() -> list[asyncio.Task[Any]]:
    return [
        task for task in asyncio.all_tasks() if getattr(task.get_coro(), "__name__", "") == "_server_callback"
    ]


async def main() -> None:
    config = Config()
    config.bind = ["localhost:8000"]
    config.errorlog = None
    stop = asyncio.Event()
    serving = asyncio.create_task(serve(app, config, shutdown_trigger=stop.wait))
    await asyncio.sleep(0.1)
    await upload()
    await asyncio.sleep(20)
    assert not connections(), "the connection is kept, and its client has gone"
    stop.set()
    await serving
