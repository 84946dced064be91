"""Programs on the simulated network: streams, sockets, datagrams, TLS, aiohttp, websockets, httpx, anyio, tornado."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any, Final

import aiohttp
import anyio
from aiohttp import web

from ...libraries.harness import Harness, harness, places
from ..bridges import programs
from . import Programs

# `Any`: see __init__.py.

program: Final = Programs()

contexts = cache(programs.contexts)


async def upper(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer lines until the other end closes."""
    while line := await reader.readline():
        await asyncio.sleep(0.01 * (len(line) % 3))
        writer.write(line.upper())
        await writer.drain()
    writer.close()


async def ask(number: int) -> Any:
    reader, writer = await asyncio.open_connection("server", 7)
    answers = []
    for line in (b"a" * number, b"bb"):
        writer.write(line + b"\n")
        answers.append(await reader.readline())
    writer.close()
    await writer.wait_closed()
    return number, answers


@program
async def clients_that_are_cancelled() -> Any:
    async with await asyncio.start_server(upper, "server", 7):
        asking = [asyncio.create_task(ask(number)) for number in range(8)]
        await asyncio.sleep(0.03)
        for task in set(asking[::2]):
            task.cancel()
        return [repr(each) for each in await asyncio.gather(*asking, return_exceptions=True)]


@program
async def protocols() -> Any:
    log: list[Any] = []

    class Echo(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            log.append(data)
            self.transport.write(data[::-1])
            self.transport.close()

        def connection_lost(self, exc: Exception | None) -> None:
            log.append(exc)

    loop = asyncio.get_running_loop()
    async with await loop.create_server(Echo, "server", 9):
        for number in range(4):
            transport, _ = await loop.create_connection(Echo, "server", 9)
            transport.write(b"%d!" % number)
        await asyncio.sleep(1)
    return log


@program
async def datagrams() -> Any:
    log: list[Any] = []

    class Answers(asyncio.DatagramProtocol):
        def connection_made(self, transport: Any) -> None:
            self.transport = transport

        def datagram_received(self, data: bytes, addr: Any) -> None:
            log.append((data, addr))
            if len(data) < 4:
                self.transport.sendto(data + b"!", addr)

    loop = asyncio.get_running_loop()
    server, _ = await loop.create_datagram_endpoint(Answers, local_addr=("server", 53))
    for number in range(4):
        client, _ = await loop.create_datagram_endpoint(Answers, remote_addr=("server", 53))
        client.sendto(b"%d" % number)
    await asyncio.sleep(1)
    server.close()
    return log


@program
async def sockets() -> Any:
    loop = asyncio.get_running_loop()
    with socket.create_server(("server", 9)) as listener:
        listener.setblocking(False)

        async def serve() -> None:
            while True:
                conn, _ = await loop.sock_accept(listener)
                await loop.sock_sendall(conn, await loop.sock_recv(conn, 100))
                conn.close()

        async def call(number: int) -> bytes:
            with socket.socket() as sock:
                sock.setblocking(False)
                await loop.sock_connect(sock, ("server", 9))
                await loop.sock_sendall(sock, b"%d" % number)
                return await loop.sock_recv(sock, 100)

        serving = asyncio.create_task(serve())
        answers = [await each for each in asyncio.as_completed([call(number) for number in range(5)])]
        serving.cancel()
        return answers


@program
async def look_ups() -> Any:
    loop = asyncio.get_running_loop()
    seen: list[Any] = [socket.gethostname(), socket.getfqdn(), socket.getaddrinfo("localhost", 80)]
    for name in ("localhost", "nowhere", "127.0.0.1"):
        try:
            seen.append(await loop.getaddrinfo(name, 80))
        except OSError as error:
            seen.append(str(error))
    return seen


@program
async def refused_and_reset() -> Any:
    async def rude(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.transport.abort()

    async def call(number: int) -> Any:
        try:
            reader, writer = await asyncio.open_connection("server", 7 + number % 2)
            writer.write(b"some bytes")
            return await reader.read()
        except OSError as error:
            return type(error).__name__

    async with await asyncio.start_server(rude, "server", 7):
        return await asyncio.gather(*map(call, range(6)))


# --- aiohttp -------------------------------------------------------------------------------------------------


@asynccontextmanager
async def site() -> AsyncIterator[str]:
    async def page(request: web.Request) -> web.Response:
        await asyncio.sleep(0.01 * (len(request.path) % 4))
        return web.Response(text=f"{request.path} {await request.text()}")

    async def chat(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(message.data.upper())
        return socket

    app = web.Application()
    app.add_routes([web.get("/chat", chat), web.get("/{path}", page), web.post("/{path}", page)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "site", 8080).start()
    try:
        yield "http://site:8080"
    finally:
        await runner.cleanup()


@program
async def aiohttp_websockets() -> Any:
    async with site() as base, aiohttp.ClientSession() as session:

        async def talk(number: int) -> list[str]:
            async with session.ws_connect(f"{base}/chat") as chat:
                heard = []
                for word in ("one", "two"):
                    await chat.send_str(f"{word} {number}")
                    heard.append((await chat.receive()).data)
                return heard

        return [await each for each in asyncio.as_completed([talk(number) for number in range(4)])]


@program
async def aiohttp_forms() -> Any:
    """The boundary of a multipart body is drawn at random."""
    async with site() as base, aiohttp.ClientSession() as session:
        form = aiohttp.FormData()
        form.add_field("file", b"some bytes", filename="name.txt")
        async with session.post(f"{base}/form", data=form) as response:
            return await response.text()


program["streams"] = partial(programs.streams, None)
program["streams_with_tls"] = lambda: programs.streams(contexts())
program["aiohttp_crawl"] = partial(programs.crawl, None)
program["aiohttp_crawl_with_tls"] = lambda: programs.crawl(contexts())


program["httpx_of_flaky"] = partial(programs.fetches, None)
program["httpx_with_tls"] = lambda: programs.fetches(contexts())
program["anyio_connections"] = partial(programs.scopes, None)
program["anyio_with_tls"] = lambda: programs.scopes(contexts())


#: The harnesses of the hunt that use the same libraries as the other tests.
for made in map(harness, places()):
    if isinstance(made, Harness) and made.library in ("aiohttp", "anyio", "httpx", "tornado"):
        program[made.name] = made.main


@program
async def anyio_limits() -> Any:
    log: list[int] = []
    limiter, lock = anyio.CapacityLimiter(2), anyio.Lock()

    async def work(number: int) -> None:
        async with limiter, lock:
            log.append(number)
            await anyio.sleep(0.01)

    with anyio.move_on_after(0.055):
        async with anyio.create_task_group() as group:
            for number in range(9):
                group.start_soon(work, number)
    log.append(await anyio.to_thread.run_sync(len, log))
    return log
