"""Harnesses of aiomysql, and as much of MySQL as a client needs to connect, query one value, and use transactions."""

from __future__ import annotations

import asyncio
import struct
from typing import Final

import aiomysql

from ..fakes.patience import ended
from ..harness import harness_of

PORT: Final = 3306
#: PROTOCOL_41, TRANSACTIONS, SECURE_CONNECTION, PLUGIN_AUTH.
CAPABILITIES: Final = 0x200 | 0x2000 | 0x8000 | 0x80000
UTF8MB4: Final = 45
LONGLONG: Final = 8
QUIT: Final = 1
QUERY: Final = 3
IN_TRANSACTION: Final = 1
AUTOCOMMIT: Final = 2
#: How long the server takes to greet, and to answer.
TAKES: Final = 0.01


def _text(value: bytes) -> bytes:
    return bytes([len(value)]) + value


class MySQL:
    """A server that lets everybody in.

    `SELECT n` returns n; `SELECT n, SLEEP(s)` returns n after s seconds; `KILL` ends its own session;
    all other queries are answered OK, BEGIN, COMMIT and ROLLBACK with the new status.
    """

    def __init__(self) -> None:
        #: How many sessions are open.
        self.sessions = 0

    async def __aenter__(self) -> MySQL:
        self._server = await asyncio.start_server(self._serve, "localhost", PORT)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        await asyncio.sleep(1)  # the sessions end

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.sessions += 1
        try:
            await _Session(reader, writer).run()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.sessions -= 1
            writer.close()


class _Session:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.number = 0
        self.status = AUTOCOMMIT

    async def run(self) -> None:
        await asyncio.sleep(TAKES)
        self.send(
            b"\x0a8.0.0\0" + struct.pack("<I", 1) + b"saltsalt\0" + struct.pack("<H", CAPABILITIES & 0xFFFF),
            struct.pack("<BHHB", UTF8MB4, self.status, CAPABILITIES >> 16, 21),
            bytes(10) + b"saltsaltsalt\0mysql_native_password\0",
        )
        await self.receive()
        self.ok()
        while True:
            command = await self.receive()
            if command[0] == QUIT or command[1:] == b"KILL":
                return
            await self.answer(command[1:].decode() if command[0] == QUERY else "")

    async def answer(self, query: str) -> None:
        if query in ("BEGIN", "COMMIT", "ROLLBACK"):
            self.status = AUTOCOMMIT | (IN_TRANSACTION if query == "BEGIN" else 0)
        if not query.startswith("SELECT "):
            self.ok()
            return
        value, _, sleep = query.removeprefix("SELECT ").partition(", ")
        await asyncio.sleep(float(sleep.removeprefix("SLEEP(").rstrip(")") or TAKES))
        end = b"\xfe" + struct.pack("<HH", 0, self.status)
        self.send(b"\x01")
        kind = struct.pack("<BHIBHBH", 0x0C, UTF8MB4, 20, LONGLONG, 0, 0, 0)
        self.send(b"".join(map(_text, (b"def", b"", b"", b"", b"n", b"n"))), kind)
        self.send(end)
        self.send(_text(value.encode()))
        self.send(end)

    def ok(self) -> None:
        self.send(b"\0\0\0" + struct.pack("<HH", self.status, 0))

    def send(self, *parts: bytes) -> None:
        payload = b"".join(parts)
        self.writer.write(struct.pack("<I", len(payload))[:3] + bytes([self.number]) + payload)
        self.number += 1

    async def receive(self) -> bytes:
        header = await self.reader.readexactly(4)
        self.number = header[3] + 1
        return await self.reader.readexactly(int.from_bytes(header[:3], "little"))


SIZE, USERS = 2, 4


async def use(pool: aiomysql.Pool, number: int) -> int:
    async with pool.acquire() as connection, connection.cursor() as cursor:
        await cursor.execute(f"SELECT {number}")
        (value,) = await cursor.fetchone()
        assert value == number, f"asked for {number}, got {value}"
        return number


async def end(pool: aiomysql.Pool, terminates: bool) -> None:
    if terminates:
        pool.terminate()
    else:
        pool.close()
    await pool.wait_closed()


async def close_while_used(pool: aiomysql.Pool, terminates: bool) -> int:
    tasks: list[asyncio.Task[int | None]] = [asyncio.create_task(use(pool, number)) for number in range(USERS)]
    try:
        await asyncio.sleep(0.025)
        tasks.append(asyncio.create_task(end(pool, terminates)))
        assert await ended(tasks[-1]), "wait_closed() waits, and no connection is used"
        assert await ended(*tasks), "a user waits for a connection of a closed pool"
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for user in tasks[:-1]:
        error = None if user.cancelled() else user.exception()
        assert error is None or isinstance(error, (aiomysql.Error, RuntimeError)), f"a user: {error!r}"
    assert tasks[-1].cancelled() or tasks[-1].exception() is None
    return sum(user.cancelled() for user in tasks)


@harness_of(
    "aiomysql",
    cancel="use,end",
    slow=True,
    finds={
        "AssertionError: a user waits for a connection of a closed pool": "aiomysql_terminate",
        "AssertionError: the pool is closed, and a connection is open": "aiomysql_connect",
        "AssertionError: wait_closed() waits, and no connection is used": "aiomysql_closed",
    },
)
async def aiomysql_closing() -> list[int]:
    """When a pool is closed or terminated, its users and wait_closed() end, and no connection is open."""
    cancelled = []
    for terminates in (False, True):
        async with MySQL() as mysql:
            pool = await aiomysql.create_pool(SIZE, SIZE, host="localhost", port=PORT, user="u")
            try:
                cancelled.append(await close_while_used(pool, terminates))
                pool.close()
                await pool.wait_closed()
                await asyncio.sleep(1)
                assert mysql.sessions == 0, "the pool is closed, and a connection is open"
            finally:
                await pool.clear()
    return cancelled


LIMIT, RIVALS = 1, 2  # of more, a condition of CPython 3.11 may lose a notify: gh-112202


async def compete(pool: aiomysql.Pool, number: int, closed: list[bool]) -> int:
    async with pool.acquire() as connection:
        try:
            async with connection.cursor() as cursor:
                await cursor.execute(f"SELECT {number}")
                (value,) = await cursor.fetchone()
        finally:
            closed.append(connection.closed)
        assert value == number, f"asked for {number}, got {value}"
        return number


async def hold(pool: aiomysql.Pool) -> int:
    closed: list[bool] = []
    users = [asyncio.create_task(compete(pool, number, closed)) for number in range(RIVALS)]
    try:
        served = await ended(*users)
        how = "was closed" if any(closed) else "is free"
        assert served, f"a user waits for ever, and the connection {how}"
    finally:
        for user in users:
            user.cancel()
        await asyncio.wait(users)
    for number, user in enumerate(users):
        assert user.cancelled() or user.result() == number
    assert pool.size == pool.freesize <= LIMIT, f"{pool.size} connections count, {pool.freesize} are free"
    return sum(user.cancelled() for user in users)


@harness_of(
    "aiomysql",
    cancel="compete",
    finds={
        "AssertionError: a user waits for ever, and the connection was closed": "aiomysql_closed",
        "AssertionError: a user waits for ever, and the connection is free": "aiomysql_release",
    },
)
async def aiomysql_pool() -> int:
    """Each user of a pool is served though another is cancelled, and the pool closes all connections."""
    async with MySQL() as mysql:
        async with aiomysql.create_pool(0, LIMIT, host="localhost", port=PORT, user="u") as pool:
            cancelled = await hold(pool)
        await asyncio.sleep(1)
        assert mysql.sessions == 0, "the pool is closed, and a connection is open"
    return cancelled
