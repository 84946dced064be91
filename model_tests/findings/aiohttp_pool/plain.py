"""Three requests share one connection; the first that is answered cancels the second.  The third should be answered."""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            await asyncio.sleep(0.02)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
            await writer.drain()
            await asyncio.sleep(0.02)
            writer.write(b"lo")
            await writer.drain()
    finally:
        writer.close()


async def main(cancels: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    connector = aiohttp.TCPConnector(limit=1)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def fetch() -> str:
            async with session.get(url) as response:
                return await response.text()

        async def first() -> None:
            await fetch()
            if cancels:
                second.cancel()

        winner = asyncio.create_task(first())
        second = asyncio.create_task(fetch())
        third = asyncio.create_task(fetch())
        await asyncio.wait([winner, second, third], timeout=2)
        outcome = third.result() if third.done() else "waits, although the pool is empty"
        third.cancel()
        await asyncio.wait([third])
    server.close()
    return outcome


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without a cancel:", outcome(False))
    print("with a cancel:", outcome(True))
