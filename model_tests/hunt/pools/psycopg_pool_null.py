"""psycopg-pool: a null pool serves as many users as its limit, though others are cancelled, and closes them all."""

from __future__ import annotations

import asyncio

from psycopg_pool import AsyncNullConnectionPool

from ..fakes.patience import ended
from ..fakes.psycopg import Connection, closed
from ..harness import Harness

LIMIT, USERS = 2, 4


async def use(pool: AsyncNullConnectionPool, number: int) -> int:
    await asyncio.sleep(0.025 * number)  # it connects while the one before returns its connection
    async with pool.connection(timeout=60) as connection:
        return await connection.execute(number)


async def main() -> list[bool]:
    Connection.opened.clear()
    pool = AsyncNullConnectionPool(name="p", connection_class=Connection, open=False, max_size=LIMIT)
    await pool.open()
    users = [asyncio.create_task(use(pool, number)) for number in range(USERS)]
    try:
        assert await ended(*users), "a user waits, and all others have ended"
        assert not Connection.opened, "no task has a connection, and one is open"
        both = [await ended(pool.getconn(timeout=60)) for _ in range(LIMIT)]
        assert all(both), f"the pool serves {sum(both)} of {LIMIT}"
        for connection in list(Connection.opened):
            await pool.putconn(connection)
    finally:
        for user in users:
            user.cancel()
        assert await closed(pool, *users), "close() waits"
    return [user.cancelled() for user in users]


HARNESS = Harness(
    "psycopg-pool",
    main,
    cancel="use",
    finds={
        "AssertionError: no task has a connection, and one is open": "psycopg_pool_null",
        "AssertionError: the pool serves * of 2": "psycopg_pool_null",
        "AssertionError: a user waits, and all others have ended": "psycopg_pool_null",
    },
)
