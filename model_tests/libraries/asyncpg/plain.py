"""A pool is closed while a task uses its connection, and another waits for it, or not.  None should be interrupted."""

import asyncio
import struct

import asyncpg


def message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As much of a PostgreSQL server as it takes: each query is answered with no rows after 0.1 s."""
    try:
        size, code = struct.unpack("!ii", await reader.readexactly(8))
        await reader.readexactly(size - 8)
        if code == 80877102:  # a request to cancel a query, on a connection of its own: it comes too late
            return
        writer.write(message(b"R", bytes(4)) + message(b"S", b"server_version\x0016.0\0"))
        writer.write(message(b"K", bytes(8)) + message(b"Z", b"I"))
        while True:
            kind, size = struct.unpack("!ci", await reader.readexactly(5))
            await reader.readexactly(size - 4)
            if kind == b"X":
                return
            await asyncio.sleep(0.1)
            writer.write(message(b"C", b"SELECT 0\0") + message(b"Z", b"I"))
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main(waits: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    pool = await asyncpg.create_pool(
        host="127.0.0.1", port=port, user="u", password="p", database="d", ssl=False, min_size=1, max_size=1
    )

    async def use() -> str:
        try:
            async with pool.acquire() as connection:
                await connection.execute("SELECT")
        except Exception as error:
            return "refused" if "pool is clos" in str(error) else "interrupted"
        return "ends"

    tasks = [asyncio.create_task(use()) for _ in range(1 + waits)]
    await asyncio.sleep(0.05)
    await pool.close()
    results = await asyncio.gather(*tasks)
    await asyncio.sleep(0.1)  # the server's tasks end
    server.close()
    return "interrupted" if "interrupted" in results else "not interrupted"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("no task waits:", outcome(False))
    print("a task waits:", outcome(True))
