"""A user pauses a download, and the server is to stop: it should, graceful_timeout later.

loopspec explore hypercorn_stalled/program.py:main --cancel download
"""

import asyncio
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config

CHUNK = bytes(100_000)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        raise NotImplementedError
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(10):
        await send({"type": "http.response.body", "body": CHUNK, "more_body": True})
    await send({"type": "http.response.body"})


async def download(end: asyncio.Event) -> None:
    reader, writer = await asyncio.open_connection("localhost", 8000)
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        while await reader.read(500_000):
            pass
    except asyncio.CancelledError:
        await end.wait()  # paused
        raise
    finally:
        writer.close()


async def main() -> None:
    config = Config()
    config.bind = ["localhost:8000"]
    config.errorlog = None
    stop, end = asyncio.Event(), asyncio.Event()
    serving = asyncio.create_task(serve(app, config, shutdown_trigger=stop.wait))
    await asyncio.sleep(0.1)
    client = asyncio.create_task(download(end))
    await asyncio.wait([client], timeout=5)
    stop.set()
    done, _ = await asyncio.wait([serving], timeout=60)
    assert done, "shutdown does not end"
    end.set()
    await asyncio.wait([client])
