"""Requests with traces that take their time: whichever is cancelled, the session closes all its connections.

loopspec explore aiohttp_trace/program.py:main --cancel fetch
"""

import asyncio

import aiohttp

connected = 0


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    global connected
    connected += 1
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        connected -= 1
        writer.close()


async def note(*_: object) -> None:
    await asyncio.sleep(0.01)


async def fetch(session: aiohttp.ClientSession) -> str:
    async with session.get("http://localhost:8080/") as response:
        return await response.text()


async def main() -> None:
    global connected
    connected = 0
    server = await asyncio.start_server(serve, "localhost", 8080)
    trace = aiohttp.TraceConfig()
    trace.on_connection_create_end.append(note)
    trace.on_connection_reuseconn.append(note)
    async with aiohttp.ClientSession(trace_configs=[trace]) as session:
        await asyncio.gather(*(fetch(session) for _ in range(2)), return_exceptions=True)
        await asyncio.gather(*(fetch(session) for _ in range(2)), return_exceptions=True)
    await asyncio.sleep(1)
    server.close()
    assert not connected, f"the session is closed, and connections are open: {connected}"
