"""Calls share a connection to memcached, and one may be interrupted: each of the others must end.

loopspec explore aiomcache_stuck/program.py:main --cancel fetch
"""

import asyncio

import aiomcache


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each get, in two parts."""
    try:
        while line := await reader.readline():
            key = line.split()[1]
            for part in (b"VALUE %b 0 %d\r\n" % (key, len(key)), b"%b\r\nEND\r\n" % key):
                await asyncio.sleep(0.01)
                writer.write(part)
                await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def fetch(client: aiomcache.Client, key: bytes) -> bytes | None:
    value: bytes | None = await client.get(key)
    return value


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 11211)
    client = aiomcache.Client("localhost", 11211, pool_size=1)
    calls = [asyncio.create_task(fetch(client, key)) for key in (b"a", b"b", b"c")]
    await asyncio.gather(*calls, return_exceptions=True)
    await client.close()
    server.close()
