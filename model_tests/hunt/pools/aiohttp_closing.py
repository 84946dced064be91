"""aiohttp: closing a session leaves no connection open, and cancels no task that still makes a request with it."""

from __future__ import annotations

import asyncio

import aiohttp

from ..fakes import http
from ..harness import Harness

PORT = 8080


async def fetch(session: aiohttp.ClientSession) -> str:
    async with session.get(f"http://localhost:{PORT}/") as response:
        return await response.text()


async def main() -> list[str]:
    async with http.serving(PORT):
        session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=1), timeout=aiohttp.ClientTimeout(total=None)
        )
        tasks = [asyncio.create_task(fetch(session)) for _ in range(3)]
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


HARNESS = Harness(
    "aiohttp",
    main,
    cancel="fetch",
    finds={
        "AssertionError: a task that was not cancelled*": "aiohttp_close",
        "AssertionError: a request: AssertionError()": "aiohttp_assert",
        "TimeoutError*": "aiohttp_read",
    },
)
