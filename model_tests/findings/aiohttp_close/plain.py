"""A session is closed while a request has a connection, or waits for one.  Neither task is cancelled."""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


async def main(waits: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1))

    async def fetch() -> str:
        try:
            async with session.get(url) as response:
                return await response.text()
        except aiohttp.ClientConnectionError:
            return "ClientConnectionError"
        except asyncio.CancelledError:
            return "CancelledError"

    tasks = [asyncio.create_task(fetch()) for _ in range(2)]
    await asyncio.sleep(0.2)
    await session.close()
    results = await asyncio.gather(*tasks)
    server.close()
    return results[waits]


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("it has a connection:", outcome(False))
    print("it waits for one:", outcome(True))
