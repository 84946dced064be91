"""A client asks for a large response, and reads it or does not.  Shutdown should end graceful_timeout later, 0.2 s."""

import asyncio
import socket
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config

CHUNK = bytes(100_000)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        raise NotImplementedError
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(200):
        await send({"type": "http.response.body", "body": CHUNK, "more_body": True})
    await send({"type": "http.response.body"})


async def main(stalls: bool) -> str:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.errorlog = None
    config.graceful_timeout = 0.2
    stop = asyncio.Event()
    serving = asyncio.create_task(serve(app, config, shutdown_trigger=stop.wait))
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    if stalls:
        await asyncio.sleep(0.3)
    else:
        while await reader.read(1_000_000):
            pass
    stop.set()
    done, _ = await asyncio.wait([serving], timeout=1.5)
    writer.transport.abort()
    await asyncio.wait([serving])
    return "shutdown ends" if done else "shutdown does not end"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the client reads:", outcome(False))
    print("the client does not read:", outcome(True))
