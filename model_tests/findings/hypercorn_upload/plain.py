"""A client sends a body, in few parts or in many, that the application does not read.  It gets its answer and goes."""

import asyncio
import socket
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        raise NotImplementedError
    await asyncio.sleep(0.4)
    await send({"type": "http.response.start", "status": 503, "headers": []})
    await send({"type": "http.response.body", "body": b"busy"})


def connections() -> int:
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return sum(name.endswith("_server_callback") for name in names)


async def main(many: bool) -> str:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.errorlog = None
    config.graceful_timeout = 0.2
    config.keep_alive_timeout = 0.2
    stop = asyncio.Event()
    serving = asyncio.create_task(serve(app, config, shutdown_trigger=stop.wait))
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    parts = 15 if many else 5  # max_app_queue_size is 10
    writer.write(f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {10 * parts}\r\n\r\n".encode())
    for _ in range(parts):
        writer.write(bytes(10))
        await asyncio.sleep(0.01)
    await reader.readuntil(b"\r\n\r\n")
    writer.close()
    await asyncio.sleep(0.7)
    left = connections()
    serving.cancel()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    await asyncio.wait([serving], timeout=1)
    return "the connection is kept for ever" if left else "the connection is closed"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("5 parts:", outcome(False))
    print("15 parts:", outcome(True))
