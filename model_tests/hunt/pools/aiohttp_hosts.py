"""aiohttp: no more requests than the limit are on their way, and the next one is served, whichever is cancelled."""

from __future__ import annotations

import asyncio

import aiohttp

from ..fakes import http
from ..harness import Harness

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


async def main() -> int:
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


HARNESS = Harness(
    "aiohttp",
    main,
    cancel="visit",
    slow=True,
    finds={
        "AssertionError: 2 connections are in use*": "aiohttp_limit",
        "TimeoutError*": "aiohttp_pool",
    },
)
