"""Asyncio programs for the simulated loop, as a user would write them: streams, aiohttp, httpx, anyio.

Each is a function of two TLS contexts, for the server and for the client, or of none.  A program is independent of the
loop that runs it.  Its result is compared between runs, so it has no address and no real time.
"""

import asyncio
import hashlib
import re
import ssl
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final

import aiohttp
import anyio
import anyio.abc
import httpx
from aiohttp import web
from anyio.streams.tls import TLSListener

from impl.bridges.asyncio.run import simulate
from impl.sim.order import Order

from ..net.tls import client_context, server_context

#: For the server, and for the client.
Contexts = tuple[ssl.SSLContext, ssl.SSLContext]

# `Any`, here and below: each program has its own type of result.
Program = Callable[[Contexts | None], Coroutine[Any, Any, Any]]

#: Pages of the site; those that are 3 modulo 7 redirect to the next one.
PAGES: Final = 70


async def streams(tls: Contexts | None) -> Any:
    """Five clients that each send a line and read the server's reply; and a refused port."""
    server_tls, client_tls = tls or (None, None)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        writer.write(line.upper() * 5000)
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    answers: list[tuple[int, int]] = []

    async def ask(number: int) -> None:
        reader, writer = await asyncio.open_connection("server", 7, ssl=client_tls)
        writer.write(b"line %d\n" % number)
        await writer.drain()
        answers.append((number, len(await reader.read())))
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(serve, "server", 7, ssl=server_tls) as server:
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            for number in range(5):
                group.create_task(ask(number))
        try:
            await asyncio.open_connection("server", 8)
        except ConnectionRefusedError:
            answers.append((-1, 0))
    await server.wait_closed()
    return answers


async def _page(request: web.Request) -> web.Response:
    number = int(request.match_info["number"])
    await asyncio.sleep(0.01 * (number % 5))
    if number % 7 == 3:
        raise web.HTTPFound(f"/{number + 1}")
    links = [n for n in (2 * number + 1, 2 * number + 2, number // 2) if n < PAGES]
    text = "".join(f'<a href="/{link}">{link}</a>' for link in links)
    return web.Response(text=text, content_type="text/html")


async def crawl(tls: Contexts | None) -> Any:
    """A site on aiohttp's server, crawled with its client: redirects, keep-alive, a refused port."""
    server_tls, client_tls = tls or (None, None)
    app = web.Application()
    app.router.add_get("/{number}", _page)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "site", 8080, ssl_context=server_tls).start()
    base = f"{'https' if tls else 'http'}://site"
    queue: asyncio.Queue[str] = asyncio.Queue()
    queue.put_nowait("/0")
    seen = {"/0"}
    log: list[tuple[str, int, int]] = []
    connected: list[bool] = []

    async def work(session: aiohttp.ClientSession) -> None:
        while True:
            path = await queue.get()
            async with session.get(f"{base}:8080{path}") as response:
                text = await response.text()
                log.append((path, len(response.history), len(text)))
            for link in re.findall(r'href="([^"]+)"', text):
                if link not in seen:
                    seen.add(link)
                    queue.put_nowait(link)
            queue.task_done()

    trace = aiohttp.TraceConfig()
    trace.on_connection_reuseconn.append(_note(connected, False))
    trace.on_connection_create_end.append(_note(connected, True))
    connector = aiohttp.TCPConnector(ssl=client_tls or True)
    async with aiohttp.ClientSession(connector=connector, trace_configs=[trace]) as session:
        workers = [asyncio.create_task(work(session)) for _ in range(5)]
        await queue.join()
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        try:
            await session.get(f"{base}:8081/")
        except aiohttp.ClientConnectorError as error:
            log.append((type(error.os_error).__name__, 0, 0))
    await runner.cleanup()
    return len(seen), connected.count(True), connected.count(False), log


def _note(where: list[bool], what: bool) -> Any:  # Any: a receiver of aiohttp's signals
    async def note(*_: object) -> None:
        where.append(what)

    return note


async def fetches(tls: Contexts | None) -> Any:
    """httpx against a server of a few lines that breaks some connections off."""
    server_tls, client_tls = tls or (None, None)
    count = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        count += 1
        mine = count
        await reader.readuntil(b"\r\n\r\n")
        if mine % 3:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
            await writer.drain()
        writer.close()

    async def fetch(client: httpx.AsyncClient, number: int) -> tuple[int, str]:
        try:
            response = await client.get(f"{'https' if tls else 'http'}://flaky:8080/{number}")
            return response.status_code, response.text
        except httpx.HTTPError as error:
            return number, type(error).__name__

    server = await asyncio.start_server(serve, "flaky", 8080, ssl=server_tls)
    async with httpx.AsyncClient(verify=client_tls or True) as client:
        answers = await asyncio.gather(*(fetch(client, number) for number in range(6)))
    server.close()
    return answers


async def scopes(tls: Contexts | None) -> Any:
    """anyio: a listener, connections, nested task groups, a scope that times out and a cancelled one."""
    listener: Any = await anyio.create_tcp_listener(local_host="listener", local_port=9)
    more: dict[str, Any] = {}
    if tls:
        listener = TLSListener(listener, tls[0])
        more = {"tls": True, "ssl_context": tls[1], "tls_hostname": "listener"}

    async def serve(stream: anyio.abc.ByteStream) -> None:
        async with stream:
            async for data in stream:
                await stream.send(data.upper())

    answers: list[Any] = []

    async def ask(number: int) -> None:
        async with await anyio.connect_tcp("listener", 9, **more) as stream:
            await stream.send(b"ask %d" % number)
            answer = b""
            while len(answer) < 5:
                answer += await stream.receive()
            answers.append(answer)

    async def wait_for_ever(name: str) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            answers.append(name)

    async with anyio.create_task_group() as group:
        group.start_soon(listener.serve, serve)
        for name in ("a", "b", "c", "d"):
            group.start_soon(wait_for_ever, name)
        async with anyio.create_task_group() as clients:
            for number in range(4):
                clients.start_soon(ask, number)
        with anyio.move_on_after(5) as scope:
            await anyio.sleep(100)
        answers.append(scope.cancelled_caught)
        group.cancel_scope.cancel()
    await listener.aclose()
    return answers


PROGRAMS: Final[dict[str, Program]] = {
    "streams": streams,
    "crawl": crawl,
    "fetches": fetches,
    "scopes": scopes,
}
ORDERS: Final[tuple[Order, ...]] = ("fifo", "any")
NAMES: Final = ("server", "site", "flaky", "listener")


def contexts() -> Contexts:
    return server_context(*NAMES), client_context()


def digest(program: Program, seed: int, order: Order, tls: Contexts | None) -> str:
    """Return the digest of a run, of its token and of its result."""
    run = simulate(partial(program, tls), seed=seed, order=order)
    result = run.outcome()
    return hashlib.sha256(repr((run.digest, run.token, run.events, result)).encode()).hexdigest()
