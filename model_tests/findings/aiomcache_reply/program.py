"""Three calls share a connection to memcached: a call that is not cancelled must get the value of its own key.

loopspec explore aiomcache_reply/program.py:main --cancel fetch
"""

import asyncio

import aiomcache

KEYS = (b"a", b"b", b"c")


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each get: the value of a key is the key."""
    try:
        while line := await reader.readline():
            key = line.split()[1]
            await asyncio.sleep(0.01)
            writer.write(b"VALUE %b 0 %d\r\n%b\r\nEND\r\n" % (key, len(key), key))
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
    calls = [asyncio.create_task(fetch(client, key)) for key in KEYS]
    results = await asyncio.gather(*calls, return_exceptions=True)
    await client.close()
    server.close()
    for key, result in zip(KEYS, results, strict=True):
        if not isinstance(result, BaseException):
            assert result == key, f"a call gets the answer of another: {key!r} is {result!r}"
