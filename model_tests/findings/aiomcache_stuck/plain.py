"""Two calls share a connection.  The first is answered, or the connection breaks.  The second should get a value."""

import asyncio

import aiomcache


async def main(breaks: bool) -> str:
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        breaking = breaks and connections == 1
        try:
            while line := await reader.readline():
                key = line.split()[1]
                await asyncio.sleep(0.1)
                if breaking:
                    break
                writer.write(b"VALUE %b 0 %d\r\n%b\r\nEND\r\n" % (key, len(key), key))
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = aiomcache.Client("127.0.0.1", server.sockets[0].getsockname()[1], pool_size=1)
    first = asyncio.create_task(client.get(b"a"))
    await asyncio.sleep(0.05)
    second = asyncio.create_task(client.get(b"b"))
    await asyncio.wait([first, second], timeout=1)
    shown = "a value" if second.done() and second.result() == b"b" else "waits, although the pool is empty"
    second.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    await client.close()
    server.close()
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the first call is answered:", outcome(False))
    print("the first connection breaks:", outcome(True))
