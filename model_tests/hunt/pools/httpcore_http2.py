"""httpcore: requests that share a connection of HTTP/2 are answered, whichever of them is cancelled."""

from __future__ import annotations

import asyncio

import httpcore

from ..fakes import http2
from ..harness import Harness

PORT = 8080


async def fetch(pool: httpcore.AsyncConnectionPool) -> str:
    response = await pool.request("GET", f"http://localhost:{PORT}/")
    return response.content.decode()


async def main() -> int:
    async with (
        http2.serving(PORT, streams=2),
        asyncio.timeout(60),
        httpcore.AsyncConnectionPool(http1=False, http2=True, max_connections=1) as pool,
    ):
        await fetch(pool)
        tasks = [asyncio.create_task(fetch(pool)) for _ in range(3)]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        last = await asyncio.gather(fetch(pool), fetch(pool), return_exceptions=True)
    for result in (*results, *last):
        assert result == http2.BODY or isinstance(result, asyncio.CancelledError), f"a request: {result!r}"
    return results.count(http2.BODY)


HARNESS = Harness(
    "httpcore",
    main,
    cancel="fetch",
    slow=True,
    finds={"AssertionError: a request: LocalProtocolError(TooManyStreamsError*": "httpcore_http2"},
)
