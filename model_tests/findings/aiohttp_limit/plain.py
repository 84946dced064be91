"""A request is on its way, and the limit is one.  Another should wait, also if an idle connection is there."""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            for part in (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", b"lo"):
                await asyncio.sleep(0.1)
                writer.write(part)
                await writer.drain()
    finally:
        writer.close()


async def main(idle: bool) -> str:
    in_use = most = 0
    servers = [await asyncio.start_server(serve, "127.0.0.1", 0) for _ in range(2)]
    urls = [f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/" for server in servers]
    connector = aiohttp.TCPConnector(limit=1)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def fetch(url: str) -> None:
            nonlocal in_use, most
            async with session.get(url) as response:
                in_use += 1
                most = max(most, in_use)
                await response.text()
                in_use -= 1

        if idle:
            await fetch(urls[0])  # it leaves an idle connection to the first host
        other = asyncio.create_task(fetch(urls[1]))
        await asyncio.sleep(0.02)
        await asyncio.gather(fetch(urls[0]), other)
    for server in servers:
        server.close()
    return f"{most} in use at once" if most > 1 else "at most 1 in use"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("no idle connection:", outcome(False))
    print("an idle connection:", outcome(True))
