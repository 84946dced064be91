"""A pool of one connection is closed, or terminated, while a task waits for it.  The task should not wait for ever."""

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


async def main(terminates: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    pool = await aiomysql.create_pool(1, 1, host="127.0.0.1", port=port, user="u")

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
    await asyncio.sleep(0.1)  # the server's tasks end
    server.close()
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("close():", outcome(False))
    print("terminate():", outcome(True))
