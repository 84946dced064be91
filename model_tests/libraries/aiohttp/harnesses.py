"""Harnesses of aiohttp."""

import asyncio
import logging

import aiohttp
from aiohttp import web

from ..fakes import http
from ..fakes.http_client import PORT, answers, fetch, keep
from ..fakes.patience import end
from ..harness import harness_of

SITE_PORT = 8080


async def fetch_text(session: aiohttp.ClientSession) -> str:
    async with session.get(f"http://localhost:{SITE_PORT}/") as response:
        return await response.text()


@harness_of(
    "aiohttp",
    cancel="fetch_text",
    finds={
        "AssertionError: a task that was not cancelled*": "aiohttp_close",
        "AssertionError: a request: AssertionError()": "aiohttp_assert",
        "TimeoutError*": "aiohttp_read",
    },
)
async def aiohttp_closing() -> list[str]:
    """Closing a session leaves no connection open, and cancels no task that still makes a request with it."""
    async with http.serving(SITE_PORT):
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=1), timeout=aiohttp.ClientTimeout(total=None)
        )
        tasks = [asyncio.create_task(fetch_text(session)) for _ in range(3)]
        try:
            await asyncio.sleep(0.05)
        finally:
            await session.close()
        async with asyncio.timeout(60):
            results = await asyncio.gather(*tasks, return_exceptions=True)
    for task, result in zip(tasks, results, strict=True):
        if isinstance(result, asyncio.CancelledError):
            assert task.cancelling(), "a task that was not cancelled is cancelled"
        elif isinstance(result, BaseException):
            says_so = isinstance(result, aiohttp.ClientError) or "closed" in str(result)
            assert says_so, f"a request: {result!r}"
    return [type(result).__name__ for result in results]


LIMIT = 1
PORTS = (8080, 8081)


class Requests:
    """How many requests have a connection."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session
        self.now = 0
        self.most = 0

    async def visit(self, *ports: int) -> str:
        for port in ports:
            text = await self.fetch(port)
            await asyncio.sleep(0.001)
        return text

    async def fetch(self, port: int) -> str:
        async with self.session.get(f"http://localhost:{port}/") as response:
            self.now += 1
            self.most = max(self.most, self.now)
            try:
                return await response.text()
            finally:
                self.now -= 1


@harness_of(
    "aiohttp",
    cancel="visit",
    slow=True,
    finds={
        "AssertionError: 2 connections are in use*": "aiohttp_limit",
        "TimeoutError*": "aiohttp_pool",
    },
)
async def aiohttp_hosts() -> int:
    """No more requests than the limit are on their way, and the next one is served, whichever is cancelled."""
    async with http.serving(*PORTS), asyncio.timeout(60):
        connector = aiohttp.TCPConnector(limit=LIMIT)
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
            requests = Requests(session)
            ways = (PORTS[:1] * 2, PORTS[1:], PORTS[:1])
            tasks = [asyncio.create_task(requests.visit(*ports)) for ports in ways]
            results = await asyncio.gather(*tasks, return_exceptions=True)
            last = await requests.fetch(PORTS[1])
    for result in (*results, last):
        assert result == http.BODY or isinstance(result, asyncio.CancelledError), f"a request: {result!r}"
    assert requests.most <= LIMIT, f"{requests.most} connections are in use, and the limit is {LIMIT}"
    return results.count(http.BODY)


logging.getLogger("aiohttp.server").addHandler(logging.NullHandler())  # of clients that go


async def handle(received: web.Request) -> web.StreamResponse:
    await received.read()
    answer = web.StreamResponse(headers={"Content-Length": "6"})
    await answer.prepare(received)
    await answer.write(b"hel")
    await asyncio.sleep(0.02)
    await answer.write(b"lo\n")
    return answer


@harness_of("aiohttp", cancel="fetch,keep", slow=True)
async def aiohttp_server() -> list[object]:
    """Cleanup ends, each request is answered or its connection closed, and a disconnecting client does not affect the
    others.
    """
    app = web.Application()
    app.router.add_route("*", "/", handle)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "localhost", PORT).start()
    clients = [asyncio.create_task(fetch(begin)) for begin in (0, 0.05)]
    clients += [asyncio.create_task(keep(part, b"a body")) for part in (b"", b"GET / HTTP/1.1\r\n")]
    await asyncio.sleep(0.08)
    await end(asyncio.create_task(runner.cleanup()), "cleanup does not end")
    hello = await answers(clients)
    await asyncio.sleep(1)  # closing connections end
    return hello


async def note(*_: object) -> None:
    await asyncio.sleep(0.001)


def traces() -> aiohttp.TraceConfig:
    config = aiohttp.TraceConfig()
    for signal in (
        config.on_connection_queued_start,
        config.on_connection_queued_end,
        config.on_connection_create_start,
        config.on_connection_create_end,
        config.on_connection_reuseconn,
        config.on_request_end,
    ):
        signal.append(note)
    return config


@harness_of(
    "aiohttp",
    cancel="fetch_text",
    slow=True,
    finds={
        "Leaked: the program has left behind: *transport at*": "aiohttp_trace",
        "TimeoutError*": "aiohttp_pool",
    },
)
async def aiohttp_tracing() -> int:
    """Traces that take their time, and requests that are cancelled in them, keep no connection from the next."""
    async with (
        http.serving(SITE_PORT),
        asyncio.timeout(60),
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=1),
            timeout=aiohttp.ClientTimeout(total=None),
            trace_configs=[traces()],
        ) as session,
    ):
        tasks = [asyncio.create_task(fetch_text(session)) for _ in range(3)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        last = await fetch_text(session)
    for result in (*results, last):
        assert result == http.BODY or isinstance(result, asyncio.CancelledError), f"a request: {result!r}"
    return results.count(http.BODY)
