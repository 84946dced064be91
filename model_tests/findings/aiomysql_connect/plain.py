"""A pool is closed while its connections are used, and another task waits for one, or none.  All should be closed."""

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


async def main(waits: bool) -> str:
    sessions = 0

    async def counted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sessions
        sessions += 1
        try:
            await serve(reader, writer)
        finally:
            sessions -= 1

    server = await asyncio.start_server(counted, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    pool = await aiomysql.create_pool(2, 2, host="127.0.0.1", port=port, user="u")

    async def use() -> None:
        async with pool.acquire():
            await asyncio.sleep(0.1)

    tasks = [asyncio.create_task(use()) for _ in range(2 + waits)]
    await asyncio.sleep(0.05)
    pool.close()
    await pool.wait_closed()
    await asyncio.wait(tasks)
    await asyncio.sleep(0.2)  # the server sees what was closed
    shown = f"{sessions} open"
    await pool.clear()
    await asyncio.sleep(0.1)
    server.close()
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("no task waits:", outcome(False))
    print("a task waits:", outcome(True))
