"""A call for key a is cancelled before its answer, or is not.  A call for key b should get the value of b."""

import asyncio

import aiomcache


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while line := await reader.readline():
            key = line.split()[1]
            await asyncio.sleep(0.2)
            writer.write(b"VALUE %b 0 %d\r\n%b\r\nEND\r\n" % (key, len(key), key))
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def main(cancels: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = aiomcache.Client("127.0.0.1", server.sockets[0].getsockname()[1], pool_size=1)
    first = asyncio.create_task(client.get(b"a"))
    await asyncio.sleep(0.1)
    if cancels:
        first.cancel()
    await asyncio.wait([first])
    value = await client.get(b"b")
    await client.close()
    server.close()
    return "the value of b" if value == b"b" else f"{value!r}".lower() + ", although b has a value"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the call for a is not cancelled:", outcome(False))
    print("the call for a is cancelled:", outcome(True))
