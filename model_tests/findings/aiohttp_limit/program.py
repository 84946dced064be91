"""Two hosts are visited through a pool of one connection: no more than one request may have a connection.

loopspec explore aiohttp_limit/program.py:main --cancel visit
"""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            for part in (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", b"lo"):
                await asyncio.sleep(0.02)
                writer.write(part)
                await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


class Visits:
    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session
        self.in_use = 0
        self.most = 0

    async def visit(self, port: int, times: int) -> None:
        for _ in range(times):
            async with self.session.get(f"http://localhost:{port}/") as response:
                self.in_use += 1
                self.most = max(self.most, self.in_use)
                try:
                    await response.text()
                finally:
                    self.in_use -= 1
            await asyncio.sleep(0.01)


async def main() -> None:
    servers = [await asyncio.start_server(serve, "localhost", port) for port in (8080, 8081)]
    connector = aiohttp.TCPConnector(limit=1)
    async with aiohttp.ClientSession(connector=connector) as session:
        visits = Visits(session)
        tasks = [asyncio.create_task(visits.visit(8080, 2)), asyncio.create_task(visits.visit(8081, 1))]
        await asyncio.gather(*tasks, return_exceptions=True)
    for server in servers:
        server.close()
    assert visits.most <= 1, f"{visits.most} connections are in use, and the limit is 1"
