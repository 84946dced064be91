"""A session is closed while a request waits for its answer, or for its middleware."""

import asyncio

import aiohttp


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


async def main(prepares: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"

    async def prepare(
        request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        await asyncio.sleep(0.4 if prepares else 0)
        return await handler(request)

    session = aiohttp.ClientSession(middlewares=[prepare])

    async def fetch() -> str:
        try:
            async with session.get(url) as response:
                return await response.text()
        except aiohttp.ClientConnectionError:
            return "ClientConnectionError"
        except AssertionError:
            return "AssertionError"

    task = asyncio.create_task(fetch())
    await asyncio.sleep(0.2)
    await session.close()
    shown = await task
    server.close()
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("it waits for its answer:", outcome(False))
    print("it waits for its middleware:", outcome(True))
