"""A session is closed while responses are read: the reader should get an error, not wait for ever.

loopspec explore aiohttp_read/program.py:main --cancel fetch
"""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            for part in (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", b"lo"):
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(1)
    except ConnectionError:
        pass
    finally:
        writer.close()


async def fetch(session: aiohttp.ClientSession) -> str:
    async with session.get("http://localhost:8080/") as response:
        return await response.text()


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 8080)
    session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None))
    tasks = [asyncio.create_task(fetch(session)) for _ in range(2)]
    await asyncio.sleep(0.5)
    await session.close()
    async with asyncio.timeout(60):
        await asyncio.gather(*tasks, return_exceptions=True)
    server.close()
