"""httpx: a response that is left early, or cancelled while it is read, gives its connection back to the pool."""

from __future__ import annotations

import asyncio

import httpx

from ..fakes import http
from ..harness import Harness

PORT = 8080
URL = f"http://localhost:{PORT}/"


async def read(client: httpx.AsyncClient) -> str:
    async with client.stream("GET", URL) as response:
        return "".join([text async for text in response.aiter_text()])


async def glance(client: httpx.AsyncClient) -> str:
    async with client.stream("GET", URL) as response:
        async for text in response.aiter_text():
            return text
    return ""


async def main() -> list[str]:
    limits = httpx.Limits(max_connections=1)
    async with (
        http.serving(PORT),
        asyncio.timeout(60),
        httpx.AsyncClient(limits=limits, timeout=None, trust_env=False) as client,
    ):
        results: list[str | BaseException] = []
        for way in (glance, read, glance):
            results += await asyncio.gather(asyncio.create_task(way(client)), return_exceptions=True)
        last = await read(client)
    assert last == http.BODY, f"what was read: {last}"
    for result in results:
        assert isinstance(result, str | asyncio.CancelledError), f"a request: {result!r}"
    return [str(result) for result in results]


HARNESS = Harness("httpx", main, cancel="read,glance", slow=True, finds={"TimeoutError*": "httpcore_pool"})
