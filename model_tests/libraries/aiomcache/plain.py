"""Cases of aiomcache: python plain.py [CASE...]"""

import asyncio
import sys

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


async def reply(cancels: bool) -> str:
    """A call for key a is cancelled before its answer, or is not.  A call for key b should get the value of b."""
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


async def stuck(breaks: bool) -> str:
    """Two calls share a connection.  The first is answered, or it breaks.  The second should get a value."""

    async def serve_or_break(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal breaks
        if breaks:
            breaks = False
            await reader.readline()
            await asyncio.sleep(0.1)
            writer.close()
        else:
            await serve(reader, writer)

    server = await asyncio.start_server(serve_or_break, "127.0.0.1", 0)
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


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "reply": (reply, "the call for a is not cancelled", "the call for a is cancelled"),
    "stuck": (stuck, "the first call is answered", "the first connection breaks"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
