"""Of three requests that share one connection two are cancelled.  Afterwards the pool should serve a request."""

import asyncio

import httpx


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await reader.readline():
            while await reader.readline() not in (b"\r\n", b""):
                pass
            await asyncio.sleep(0.02)
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            await writer.drain()
    finally:
        writer.close()


async def main(cancels: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    timeout = httpx.Timeout(5, pool=0.5)
    limits = httpx.Limits(max_connections=1)
    async with httpx.AsyncClient(limits=limits, timeout=timeout, trust_env=False) as client:
        for turns in range(1, 60 if cancels else 2):
            tasks = [asyncio.create_task(client.get(url)) for _ in range(3)]
            for _ in range(turns):
                await asyncio.sleep(0)
            if cancels:
                tasks[0].cancel()
            await asyncio.sleep(0)
            if cancels:
                tasks[1].cancel()
            await asyncio.wait(tasks)
            try:
                text = (await client.get(url)).text
            except httpx.PoolTimeout:
                text = "PoolTimeout"
                break
    server.close()
    return text


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without cancels:", outcome(False))
    print("with cancels:", outcome(True))
