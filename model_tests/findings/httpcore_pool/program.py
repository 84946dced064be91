"""Requests of httpx that share a pool of one connection: a request that is cancelled must give it back.

loopspec explore httpcore_pool/program.py:main --cancel fetch
"""

import asyncio

import httpx


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            await asyncio.sleep(0.01)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            await writer.drain()
    finally:
        writer.close()


async def fetch(client: httpx.AsyncClient) -> str:
    response = await client.get("http://localhost:8080/")
    return response.text


async def main() -> None:
    limits = httpx.Limits(max_connections=1)
    server = await asyncio.start_server(serve, "localhost", 8080)
    async with httpx.AsyncClient(limits=limits, timeout=30, trust_env=False) as client:
        requests = [asyncio.create_task(fetch(client)) for _ in range(3)]
        answers = await asyncio.gather(*requests, return_exceptions=True)
    server.close()
    for answer in answers:
        if isinstance(answer, asyncio.CancelledError):
            continue  # its user did not want it any more
        assert answer == "hello", f"a request ended with {answer!r}"
