"""Harnesses of asyncpg, and as much of PostgreSQL as a client needs that runs simple queries, which it may cancel."""

from __future__ import annotations

import asyncio
import struct
from typing import Final

import asyncpg

from ..fakes.patience import ended
from ..harness import harness_of

PORT: Final = 5432
#: The codes in place of a version, with which a client asks for TLS, and cancels a query.
TLS: Final = 80877103
CANCEL: Final = 80877102
#: How long the server takes to let a client in, and to answer.
TAKES: Final = 0.01


def message(kind: bytes, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return kind + struct.pack("!i", len(body) + 4) + body


class Postgres:
    """A server that lets everybody in, as long as it has room, and answers each query with no rows."""

    def __init__(self, most: int = 100) -> None:
        self.most = most
        #: The tasks of the sessions that are open, by their number.
        self.sessions: dict[int, asyncio.Event] = {}
        self._last = 0

    async def __aenter__(self) -> Postgres:
        self._server = await asyncio.start_server(self._serve, "localhost", PORT)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        await asyncio.sleep(1)  # the sessions end

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._begin(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size, code = struct.unpack("!ii", await reader.readexactly(8))
        rest = await reader.readexactly(size - 8)
        if code == CANCEL:
            if (session := self.sessions.get(struct.unpack("!i", rest[:4])[0])) is not None:
                session.set()
            return
        await asyncio.sleep(TAKES)
        if len(self.sessions) >= self.most:
            writer.write(message(b"E", b"SFATAL\0C53300\0Mtoo many clients already\0\0"))
            return
        self._last = number = self._last + 1
        self.sessions[number] = asyncio.Event()
        try:
            writer.write(message(b"R", bytes(4)))
            for name, value in (("server_version", "16.0"), ("client_encoding", "UTF8")):
                writer.write(message(b"S", name.encode(), b"\0", value.encode(), b"\0"))
            writer.write(message(b"K", struct.pack("!ii", number, 0)) + message(b"Z", b"I"))
            await self._queries(reader, writer, self.sessions[number])
        finally:
            del self.sessions[number]

    async def _queries(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cancelled: asyncio.Event
    ) -> None:
        while True:
            kind, size = struct.unpack("!ci", await reader.readexactly(5))
            await reader.readexactly(size - 4)
            if kind == b"X":
                return
            cancelled.clear()
            try:
                await asyncio.wait_for(cancelled.wait(), TAKES)
            except TimeoutError:
                writer.write(message(b"C", b"SELECT 0\0"))
            else:
                writer.write(message(b"E", b"SERROR\0C57014\0Mcanceling statement due to user request\0\0"))
            writer.write(message(b"Z", b"I"))


SIZE, USERS = 2, 4


async def use(pool: asyncpg.Pool) -> str:
    async with pool.acquire() as connection:
        status: str = await connection.execute("SELECT")
        return status


async def create() -> asyncpg.Pool:
    return await asyncpg.create_pool(
        host="localhost",
        port=PORT,
        user="u",
        password="p",
        database="d",
        ssl=False,
        min_size=SIZE,
        max_size=SIZE,
    )


async def closed(terminates: bool) -> list[str]:
    pool = await create()
    users = [asyncio.create_task(use(pool)) for _ in range(USERS)]
    await asyncio.sleep(0.005)
    if terminates:
        pool.terminate()
    else:
        closing = asyncio.create_task(pool.close(), name="close")
        assert await ended(closing), "close() waits"
    assert await ended(*users), "a user of a closed pool waits"
    if terminates or closing.cancelled():  # a close() that is cancelled terminates the pool
        return []
    errors = [user.exception() for user in users if not user.cancelled()]
    return [repr(error) for error in errors if error and "pool is clos" not in str(error)]


@harness_of(
    "asyncpg",
    cancel="use,close,create",
    slow=True,
    finds={"AssertionError: close() interrupts a user: *": "asyncpg_close"},
)
async def asyncpg_closing() -> None:
    """A pool that is closed interrupts no user, and one that is closed, or not created, leaves nothing open."""
    interrupted = []
    for terminates in (False, True):
        async with Postgres() as postgres:
            interrupted += await closed(terminates)
            await asyncio.sleep(1)
            assert not postgres.sessions, "the pool is closed, and a connection is open"
    async with Postgres(most=1) as postgres:
        creating = asyncio.create_task(create())
        assert await ended(creating), "create_pool() waits"
        if not creating.cancelled() and creating.exception():
            await asyncio.sleep(1)
            assert not postgres.sessions, "the pool was not created, and a connection is open"
    assert not interrupted, f"close() interrupts a user: {interrupted[0]}"


async def hold(pool: asyncpg.Pool) -> list[bool]:
    users = [asyncio.create_task(use(pool)) for _ in range(USERS)]
    try:
        assert await ended(*users), "a user waits, and all others have ended"
        last = [asyncio.create_task(use(pool)) for _ in range(SIZE)]
        assert await ended(*last), "the pool has lost a connection"
    finally:
        for user in users:
            user.cancel()
        assert await ended(pool.close(), *users), "close() waits"
    for user in (*users, *last):
        assert user.cancelled() or user.result() == "SELECT 0"
    return [user.cancelled() for user in users]


@harness_of("asyncpg", cancel="use", slow=True)
async def asyncpg_pool() -> list[bool]:
    """Each user of a pool is served though others are cancelled, and a pool that is closed leaves none open."""
    async with Postgres() as postgres:
        pool = await asyncpg.create_pool(
            host="localhost",
            port=PORT,
            user="u",
            password="p",
            database="d",
            ssl=False,
            min_size=1,
            max_size=SIZE,
        )
        cancelled = await hold(pool)
        await asyncio.sleep(1)
        assert not postgres.sessions, "the pool is closed, and a connection is open"
    return cancelled
