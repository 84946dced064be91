"""Cases of aiomysql: python plain.py [CASE...]"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiomysql

sessions = set[asyncio.StreamWriter]()
OK, QUIT = b"\0\0\0\2\0\0\0", 1


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As much of a MySQL server as it takes: each command is answered with OK."""

    async def receive() -> bytes:
        header = await reader.readexactly(4)
        return await reader.readexactly(int.from_bytes(header[:3], "little"))

    def send(number: int, packet: bytes) -> None:
        writer.write(len(packet).to_bytes(3, "little") + bytes([number]) + packet)

    sessions.add(writer)
    send(0, b"\x0a8.0\0" + bytes(4) + b"saltsalt\0\0\xa2\x2d\2\0\0\0\x15" + bytes(10) + b"saltsaltsalt\0")
    try:
        await receive()
        send(2, OK)
        while (await receive())[0] != QUIT:
            await asyncio.sleep(0.02)
            send(1, OK)
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        sessions.remove(writer)
        writer.close()


@asynccontextmanager
async def opened(size: int) -> AsyncIterator[aiomysql.Pool]:
    """A pool of connections to a server; in the end all are closed."""
    sessions.clear()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    pool = await aiomysql.create_pool(size, size, host="127.0.0.1", port=port, user="u")
    yield pool
    pool.close()
    await pool.clear()
    await pool.wait_closed()
    await asyncio.sleep(0.1)  # the server's tasks end
    server.close()


async def closed(cancels: bool) -> str:
    """Two tasks share one connection; the first is cancelled in its query, or is not.  The second should be served."""
    async with opened(1) as pool:

        async def query() -> None:
            async with pool.acquire() as connection, connection.cursor() as cursor:
                started.set()
                await cursor.execute("DO 1")

        started = asyncio.Event()
        first, second = asyncio.create_task(query()), asyncio.create_task(query())
        await started.wait()
        if cancels:
            first.cancel()
        await asyncio.wait([first, second], timeout=1)
        shown = "served" if second.done() else f"waits, though {pool.size} connections are used"
        second.cancel()
        await asyncio.wait([second])
    return shown


async def connect(waits: bool) -> str:
    """A pool is closed while its connections are used, and another task waits, or none.  All should be closed."""
    async with opened(2) as pool:

        async def use() -> None:
            async with pool.acquire():
                await asyncio.sleep(0.1)

        tasks = [asyncio.create_task(use()) for _ in range(2 + waits)]
        await asyncio.sleep(0.05)
        pool.close()
        await pool.wait_closed()
        await asyncio.wait(tasks)
        await asyncio.sleep(0.2)  # the server sees the closed connection
        return f"{len(sessions)} open"


async def release(cancels: bool) -> str:
    """Two tasks share one connection; the first is cancelled as it releases it, or not.  The second should get it."""
    async with opened(1) as pool:
        leave = asyncio.Event()

        async def use() -> None:
            async with pool.acquire():
                await leave.wait()

        first, second = asyncio.create_task(use()), asyncio.create_task(use())
        await asyncio.sleep(0.1)
        leave.set()
        await asyncio.sleep(0)  # the first releases its connection
        if cancels:
            first.cancel()
        await asyncio.wait([first, second], timeout=1)
        shown = "served" if second.done() else f"waits, though {pool.freesize} connection is free"
        second.cancel()
        await asyncio.wait([second])
    return shown


async def terminate(terminates: bool) -> str:
    """A pool of one connection is closed, or terminated, while a task waits for it.  The task should end."""
    async with opened(1) as pool:

        async def use() -> None:
            async with pool.acquire():
                await asyncio.sleep(0.1)

        first, second = asyncio.create_task(use()), asyncio.create_task(use())
        await asyncio.sleep(0.05)
        if terminates:
            pool.terminate()
        else:
            pool.close()
        await pool.wait_closed()
        await asyncio.wait([first, second], timeout=1)
        shown = "ends" if second.done() else "waits, though the pool is closed"
        second.cancel()
        await asyncio.wait([second])
    return shown


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "closed": (closed, "the first query ends", "the first query is cancelled"),
    "connect": (connect, "no task waits", "a task waits"),
    "release": (release, "without a cancel", "the first is cancelled as it releases its connection"),
    "terminate": (terminate, "close()", "terminate()"),
}


def outcome(case: str, wrong: bool) -> str:
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
