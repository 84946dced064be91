"""Harnesses of starlette."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from ..fakes.determinism import InOrder
from ..fakes.http_client import get
from ..fakes.patience import end
from ..harness import harness_of

PORT = 8000


class BackgroundWork:
    """The parts of the application that have begun and not ended."""

    def __init__(self) -> None:
        self.streams = self.background = self.lifespans = 0


def application(work: BackgroundWork) -> Starlette:
    async def parts() -> AsyncIterator[bytes]:
        work.streams += 1
        try:
            for part in (b"he", b"ll", b"o\n"):
                yield part
                await asyncio.sleep(0.01)
        finally:
            work.streams -= 1

    async def after() -> None:
        work.background += 1
        await asyncio.sleep(0.01)
        work.background -= 1

    async def stream(request: Request) -> Response:
        return StreamingResponse(parts())

    async def echo(request: Request) -> Response:
        return PlainTextResponse(await request.body(), background=BackgroundTask(after))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        work.lifespans += 1
        yield
        work.lifespans -= 1

    return Starlette(routes=[Route("/stream", stream), Route("/echo", echo, methods=["POST"])], lifespan=lifespan)


async def fetch(begin: float, path: str, body: bytes) -> bytes | None:
    await asyncio.sleep(begin)
    return await get(PORT, path, body)


@harness_of("starlette", cancel="fetch", slow=True)
async def starlette_routes() -> list[object]:
    """On uvicorn, a route, a stream and its background task end, whichever client goes, and so does shutdown."""
    work = BackgroundWork()
    server = uvicorn.Server(
        uvicorn.Config(application(work), "localhost", PORT, log_config=None, http="h11", ws="none")
    )
    server.server_state.connections = InOrder()
    server.server_state.tasks = InOrder()
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    clients = [
        asyncio.create_task(fetch(begin, path, body))
        for begin in (0, 0.06)
        for path, body in (("/stream", b""), ("/echo", b"hello\n"))
    ]
    await asyncio.sleep(0.09)
    server.should_exit = True
    await end(serving, "shutdown does not end")
    await serving
    answers = await asyncio.gather(*clients, return_exceptions=True)
    for answer in answers:
        assert answer in (b"hello\n", None) or isinstance(answer, asyncio.CancelledError), f"{answer!r}"
    assert work.streams == 0, "a stream is not closed"
    assert work.background == work.lifespans == 0
    return [answer for answer in answers if isinstance(answer, bytes)]
