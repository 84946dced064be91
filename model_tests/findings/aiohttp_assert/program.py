"""A session is closed while its requests get their tokens: they should raise errors that say so.

loopspec explore aiohttp_assert/program.py:main --cancel fetch
"""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            await asyncio.sleep(0.1)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def with_token(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    await asyncio.sleep(0.1)
    request.headers["Authorization"] = "Bearer token"
    return await handler(request)


async def fetch(session: aiohttp.ClientSession) -> str:
    async with session.get("http://localhost:8080/") as response:
        return await response.text()


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 8080)
    session = aiohttp.ClientSession(middlewares=[with_token])
    tasks = [asyncio.create_task(fetch(session)) for _ in range(2)]
    await asyncio.sleep(0.05)
    await session.close()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    server.close()
    for result in results:
        assert not isinstance(result, AssertionError), f"a request ends with {result!r}"
