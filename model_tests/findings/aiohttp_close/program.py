"""A session is closed while requests wait for a place in its pool: they should raise an error of aiohttp.

loopspec explore aiohttp_close/program.py:main --cancel fetch
"""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            await asyncio.sleep(0.5)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def fetch(session: aiohttp.ClientSession) -> str:
    try:
        async with session.get("http://localhost:8080/") as response:
            return await response.text()
    except aiohttp.ClientError as error:
        return type(error).__name__
    except asyncio.CancelledError:
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling(), "a request is cancelled, and its task was not"
        raise


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 8080)
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1))
    tasks = [asyncio.create_task(fetch(session)) for _ in range(2)]
    await asyncio.sleep(0.2)
    await session.close()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    server.close()
    for result in results:
        if isinstance(result, AssertionError):
            raise result
