"""Cases of hypercorn: python plain.py [CASE...]"""

import asyncio
import socket
import sys
from typing import Any

from hypercorn.asyncio import serve
from hypercorn.config import Config


async def large(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        raise NotImplementedError
    await send({"type": "http.response.start", "status": 200, "headers": []})
    for _ in range(200):
        await send({"type": "http.response.body", "body": bytes(100_000), "more_body": True})
    await send({"type": "http.response.body"})


async def busy(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        raise NotImplementedError
    await asyncio.sleep(0.4)
    await send({"type": "http.response.start", "status": 503, "headers": []})
    await send({"type": "http.response.body", "body": b"busy"})


async def started(app: Any) -> tuple[Any, ...]:
    """Serve an application; return the event that stops the server, its task, and the reader and writer of a client."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.errorlog = None
    config.graceful_timeout = config.keep_alive_timeout = 0.2
    stop = asyncio.Event()
    serving = asyncio.create_task(serve(app, config, shutdown_trigger=stop.wait))
    return stop, serving, *await asyncio.open_connection("127.0.0.1", port)


def connections() -> int:
    names = [getattr(task.get_coro(), "__qualname__", "") for task in asyncio.all_tasks()]
    return sum(name.endswith("_server_callback") for name in names)


async def stalled(stalls: bool) -> str:
    """A client asks for a large response, and reads it or not.  Shutdown should end graceful_timeout later, 0.2 s."""
    stop, serving, reader, writer = await started(large)
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


async def upload(many: bool) -> str:
    """A client sends a body, in few parts or in many, that the application does not read.  It gets an answer."""
    _, serving, reader, writer = await started(busy)
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


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "stalled": (stalled, "the client reads", "the client does not read"),
    "upload": (upload, "5 parts", "15 parts"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
