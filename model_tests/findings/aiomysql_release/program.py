"""Two tasks share a pool of one connection: a task that is cancelled must not make another one wait for ever.

loopspec explore aiomysql_release/program.py:main --cancel use
"""

import asyncio

import aiomysql

OK, QUIT = b"\0\0\0\2\0\0\0", 1


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """As much of a MySQL server as it takes: each command is answered with OK."""

    async def receive() -> bytes:
        header = await reader.readexactly(4)
        return await reader.readexactly(int.from_bytes(header[:3], "little"))

    def send(number: int, packet: bytes) -> None:
        writer.write(len(packet).to_bytes(3, "little") + bytes([number]) + packet)

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
        writer.close()


async def use(pool: aiomysql.Pool, connections: list[aiomysql.Connection]) -> None:
    async with pool.acquire() as connection:
        connections.append(connection)
        await asyncio.sleep(0.01)


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 3306)
    pool = await aiomysql.create_pool(1, 1, host="localhost", user="u")
    connections: list[aiomysql.Connection] = []
    tasks = [asyncio.create_task(use(pool, connections)) for _ in range(2)]
    _, waiting = await asyncio.wait(tasks, timeout=10)
    for connection in connections:
        connection.close()
    server.close()
    assert not waiting, "a task waits for a connection, and one is free"
