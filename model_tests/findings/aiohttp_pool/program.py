"""Requests that share a pool of one connection: a request that is cancelled must not make another one wait for ever.

loopspec explore aiohttp_pool/program.py:main --cancel fetch
"""

import asyncio

import aiohttp
from aiohttp import web


async def hello(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    for part in (b"hel", b"lo"):
        await asyncio.sleep(0.02)
        await response.write(part)
    return response


async def serve() -> web.AppRunner:
    app = web.Application()
    app.router.add_get("/", hello)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "localhost", 8080).start()
    return runner


async def fetch(session: aiohttp.ClientSession) -> str:
    async with session.get("http://localhost:8080/") as response:
        return await response.text()


async def main() -> None:
    server = await serve()
    connector = aiohttp.TCPConnector(limit=1)
    async with aiohttp.ClientSession(connector=connector) as session:
        requests = [asyncio.create_task(fetch(session)) for _ in range(3)]
        answers = await asyncio.gather(*requests, return_exceptions=True)
    await server.cleanup()
    for answer in answers:
        if isinstance(answer, asyncio.CancelledError):
            continue  # its user did not want it any more
        assert answer == "hello", f"a request ended with {answer!r}"
