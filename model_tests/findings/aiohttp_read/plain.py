"""A body arrives in part.  The task that reads it should end when the server closes, and when its own session does."""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
    try:
        await asyncio.wait_for(reader.read(), 0.3)
    except TimeoutError:
        pass
    writer.close()


async def main(closes: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    session = aiohttp.ClientSession()

    async def fetch() -> str:
        async with session.get(url) as response:
            return await response.text()

    task = asyncio.create_task(fetch())
    if closes:
        await asyncio.sleep(0.1)
        await session.close()
    await asyncio.wait([task], timeout=1)
    shown = "ends" if task.done() else "waits"
    task.cancel()
    await asyncio.wait([task])
    await session.close()
    server.close()
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the server closes:", outcome(False))
    print("the session is closed:", outcome(True))
