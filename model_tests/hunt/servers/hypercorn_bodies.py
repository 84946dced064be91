"""hypercorn: when a client has gone, or the server is to stop, no connection is left, whatever body was not read."""

from __future__ import annotations

import asyncio
from typing import Any

from hypercorn.asyncio import run, serve

from ..fakes.hello import PORT
from ..fakes.http_client import connected, request, response
from ..fakes.in_order import InOrder
from ..fakes.patience import ends
from ..harness import Harness
from .hypercorn_shutdown import settings

PARTS = 15

run.set = InOrder  # of the tasks of the connections


async def store(receive: Any) -> None:
    while (await receive()).get("more_body"):
        await asyncio.sleep(0.002)


async def app(scope: Any, receive: Any, send: Any) -> None:
    assert scope["type"] == "http", "no lifespan"
    storing = asyncio.create_task(store(receive))
    await asyncio.wait([storing])
    await asyncio.sleep(0.05)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"600000")]})
    await send({"type": "http.response.body", "body": bytes(300_000), "more_body": True})
    await send({"type": "http.response.body", "body": bytes(300_000)})


async def upload() -> int | None:
    """Send a body in parts, and read the answer."""
    async with connected(PORT) as (reader, writer):
        *_, body = request("/", bytes(PARTS)).partition(b"\r\n\r\n")
        writer.write(request("/", body)[: -len(body)])
        for number in range(PARTS):
            writer.write(body[number : number + 1])
            await asyncio.sleep(0.001)
        answer = await response(reader)
        return None if answer is None else len(answer)


async def download(end: asyncio.Event) -> None:
    """Read an answer; when it is cancelled, pause."""
    async with connected(PORT) as (reader, writer):
        writer.write(request("/"))
        try:
            await response(reader)
        except asyncio.CancelledError:
            await end.wait()
            raise


def served() -> int:
    names = [getattr(task.get_coro(), "__name__", "") for task in asyncio.all_tasks()]
    return names.count("_server_callback")


async def main() -> object:
    stop, end = asyncio.Event(), asyncio.Event()
    serving = asyncio.create_task(serve(app, settings(), shutdown_trigger=stop.wait))
    await asyncio.sleep(0.01)
    uploading = asyncio.create_task(upload())
    await asyncio.gather(uploading, return_exceptions=True)
    await asyncio.sleep(10)
    assert not served(), "a connection is kept, and its client has gone"
    downloading = asyncio.create_task(download(end))
    await asyncio.wait([downloading], timeout=5)
    stop.set()
    assert await ends(serving), "shutdown does not end while a client does not read"
    end.set()
    await serving
    await asyncio.gather(downloading, return_exceptions=True)
    await asyncio.sleep(1)  # what is closing ends
    return None if uploading.cancelled() or uploading.exception() else uploading.result()


HARNESS = Harness(
    "hypercorn",
    main,
    cancel="store,upload,download",
    slow=True,
    finds={
        "AssertionError: a connection is kept*": "hypercorn_upload",
        "AssertionError: shutdown does not end*": "hypercorn_stalled",
    },
    allowed={
        "Leaked: *StreamReaderProtocol.connection_made.*CancelledError()*": "graceful_timeout cancels a "
        "connection, and the streams of CPython 3.11 report that",
    },
)
