"""aiohttp: traces that take their time, and requests that are cancelled in them, keep no connection from the next."""

from __future__ import annotations

import asyncio

import aiohttp

from ..fakes import http
from ..harness import Harness

PORT = 8080


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


async def fetch(session: aiohttp.ClientSession) -> str:
    async with session.get(f"http://localhost:{PORT}/") as response:
        return await response.text()


async def main() -> int:
    async with (
        http.serving(PORT),
        asyncio.timeout(60),
        aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=1),
            timeout=aiohttp.ClientTimeout(total=None),
            trace_configs=[traces()],
        ) as session,
    ):
        tasks = [asyncio.create_task(fetch(session)) for _ in range(3)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        last = await fetch(session)
    for result in (*results, last):
        assert result == http.BODY or isinstance(result, asyncio.CancelledError), f"a request: {result!r}"
    return results.count(http.BODY)


HARNESS = Harness(
    "aiohttp",
    main,
    cancel="fetch",
    slow=True,
    finds={
        "Leaked: the program has left behind: *transport at*": "aiohttp_trace",
        "TimeoutError*": "aiohttp_pool",
    },
)
