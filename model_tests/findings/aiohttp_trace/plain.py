"""A request is cancelled while it waits in a trace: of its own begin, or of its connection."""

import asyncio

import aiohttp

connected = 0


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    global connected
    connected += 1
    await reader.read()
    connected -= 1
    writer.close()


async def fetch(session: aiohttp.ClientSession, url: str) -> None:
    async with session.get(url):
        pass


async def main(of_connection: bool) -> str:
    global connected
    connected = 0
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    started = asyncio.Event()

    async def note(*_: object) -> None:
        started.set()
        await asyncio.sleep(1)

    trace = aiohttp.TraceConfig()
    (trace.on_connection_create_end if of_connection else trace.on_request_start).append(note)
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        task = asyncio.create_task(fetch(session, url))
        await started.wait()
        await asyncio.sleep(0.1)
        task.cancel()
        await asyncio.wait([task])
    await asyncio.sleep(0.3)
    shown = "the session is closed, a connection is open" if connected else "closed"
    server.close()
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("in on_request_start:", outcome(False))
    print("in on_connection_create_end:", outcome(True))
