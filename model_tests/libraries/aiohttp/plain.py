"""Cases of aiohttp: python plain.py [CASE...]"""

import asyncio
import sys

import aiohttp

connections = set[asyncio.StreamWriter]()


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer nothing."""
    connections.add(writer)
    await reader.read()
    connections.remove(writer)
    writer.close()


async def slow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each request in two parts."""
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


async def half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer a request in part."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")
    try:
        await asyncio.wait_for(reader.read(), 0.3)
    except TimeoutError:
        pass
    writer.close()


async def fetch(session: aiohttp.ClientSession, url: str) -> str:
    """Return the body of the answer, or the name of an error."""
    try:
        async with session.get(url) as response:
            return await response.text()
    except aiohttp.ClientConnectionError:
        return "ClientConnectionError"
    except (AssertionError, asyncio.CancelledError) as error:
        return type(error).__name__


async def prepared(prepares: bool) -> str:
    """A session is closed while a request waits for its answer, or for its middleware."""
    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"

    async def prepare(
        request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        await asyncio.sleep(0.4 if prepares else 0)
        return await handler(request)

    session = aiohttp.ClientSession(middlewares=[prepare])
    task = asyncio.create_task(fetch(session, url))
    await asyncio.sleep(0.2)
    await session.close()
    shown = await task
    server.close()
    return shown


async def close(waits: bool) -> str:
    """A session is closed while a request has a connection, or waits for one.  Neither task is cancelled."""
    server = await asyncio.start_server(silent, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1))
    tasks = [asyncio.create_task(fetch(session, url)) for _ in range(2)]
    await asyncio.sleep(0.2)
    await session.close()
    results = await asyncio.gather(*tasks)
    server.close()
    return results[waits]


async def limit(idle: bool) -> str:
    """A request is on its way, and the limit is one.  Another should wait, also if an idle connection is there."""
    in_use = most = 0
    servers = [await asyncio.start_server(slow, "127.0.0.1", 0) for _ in range(2)]
    urls = [f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/" for server in servers]
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1)) as session:

        async def counted(url: str) -> None:
            nonlocal in_use, most
            async with session.get(url) as response:
                in_use += 1
                most = max(most, in_use)
                await response.text()
                in_use -= 1

        if idle:
            await counted(urls[0])  # it leaves an idle connection to the first host
        other = asyncio.create_task(counted(urls[1]))
        await asyncio.sleep(0.02)
        await asyncio.gather(counted(urls[0]), other)
    for server in servers:
        server.close()
    return f"{most} in use at once" if most > 1 else "at most 1 in use"


async def pool(cancels: bool) -> str:
    """Three requests share one connection; the first to end cancels the second.  The third should be answered."""
    server = await asyncio.start_server(slow, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1)) as session:

        async def first() -> None:
            await fetch(session, url)
            if cancels:
                second.cancel()

        winner = asyncio.create_task(first())
        second = asyncio.create_task(fetch(session, url))
        third = asyncio.create_task(fetch(session, url))
        await asyncio.wait([winner, second, third], timeout=2)
        shown = third.result() if third.done() else "waits, although the pool is empty"
        third.cancel()
        await asyncio.wait([third])
    server.close()
    return shown


async def read(closes: bool) -> str:
    """A body arrives in part.  The task that reads it should end when the server closes, or its own session."""
    server = await asyncio.start_server(half, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    session = aiohttp.ClientSession()
    task = asyncio.create_task(fetch(session, url))
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


async def trace(of_connection: bool) -> str:
    """A request is cancelled while it waits in a trace: of its own begin, or of its connection."""
    connections.clear()
    server = await asyncio.start_server(silent, "127.0.0.1", 0)
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
    shown = "the session is closed, a connection is open" if connections else "closed"
    server.close()
    return shown


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "assert": (prepared, "it waits for its answer", "it waits for its middleware"),
    "close": (close, "it has a connection", "it waits for one"),
    "limit": (limit, "no idle connection", "an idle connection"),
    "pool": (pool, "without a cancel", "with a cancel"),
    "read": (read, "the server closes", "the session is closed"),
    "trace": (trace, "in on_request_start", "in on_connection_create_end"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
