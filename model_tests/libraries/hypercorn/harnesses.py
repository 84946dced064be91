"""Harnesses of hypercorn."""

import asyncio
from typing import Any

from hypercorn.asyncio import run, serve
from hypercorn.config import Config

from ..fakes.determinism import InOrder
from ..fakes.http_client import PORT, answers, connected, fetch, keep, request, response
from ..fakes.patience import end, ends
from ..harness import harness_of

PARTS = 15

run.set = InOrder  # of the tasks of the connections


async def store(receive: Any) -> None:
    while (await receive()).get("more_body"):
        await asyncio.sleep(0.002)


async def large_app(scope: Any, receive: Any, send: Any) -> None:
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


@harness_of(
    "hypercorn",
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
async def hypercorn_bodies() -> object:
    """When a client has gone, or the server is to stop, no connection is left, whatever body was not read."""
    stop, end = asyncio.Event(), asyncio.Event()
    serving = asyncio.create_task(serve(large_app, settings(), shutdown_trigger=stop.wait))
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
    await asyncio.sleep(1)  # closing connections end
    return None if uploading.cancelled() or uploading.exception() else uploading.result()


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"6")]})
    await send({"type": "http.response.body", "body": b"hel", "more_body": True})
    await asyncio.sleep(0.02)
    await send({"type": "http.response.body", "body": b"lo\n"})


def settings(**values: object) -> Config:
    config = Config()
    config.bind = [f"localhost:{PORT}"]
    config.errorlog = None
    for name, value in values.items():
        setattr(config, name, value)
    return config


@harness_of(
    "hypercorn",
    cancel="fetch,keep",
    slow=True,
    allowed={
        "Leaked: *StreamReaderProtocol.connection_made.*CancelledError()*": (
            "graceful_timeout cancels a connection, and the streams of CPython 3.11 report that"
        ),
        "LifespanTimeoutError: *": "startup_timeout and shutdown_timeout are options",
    },
)
async def hypercorn_shutdown() -> list[object]:
    """Shutdown ends whatever the clients do, and each request is answered or its connection closed."""
    stop = asyncio.Event()
    serving = asyncio.create_task(serve(app, settings(), shutdown_trigger=stop.wait))
    await asyncio.sleep(0.01)
    clients = [asyncio.create_task(fetch(begin)) for begin in (0, 0.04)]
    clients += [asyncio.create_task(keep(part)) for part in (b"", b"GET / HTTP/1.1\r\n")]
    await asyncio.sleep(0.07)
    stop.set()
    await end(serving, "shutdown does not end")
    await serving
    return await answers(clients)
