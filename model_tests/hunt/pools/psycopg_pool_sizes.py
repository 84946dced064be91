"""psycopg-pool: a pool can be waited for and resized, has no more connections than its limit, and closes all."""

from __future__ import annotations

import asyncio

from psycopg_pool import AsyncConnectionPool

from ..fakes.patience import ended
from ..fakes.psycopg import Connection, closed
from ..harness import Harness

SIZE, LIMIT = 1, 3


async def reset(connection: Connection) -> None:
    await asyncio.sleep(0)


async def fill(pool: AsyncConnectionPool) -> None:
    await pool.wait(timeout=60)


async def use(pool: AsyncConnectionPool, number: int) -> int:
    async with pool.connection(timeout=60) as connection:
        return await connection.execute(number)


async def main() -> int:
    Connection.opened.clear()
    pool = AsyncConnectionPool(
        name="p", connection_class=Connection, open=False, min_size=SIZE, max_size=LIMIT, reset=reset
    )
    await pool.open()
    filled = asyncio.create_task(fill(pool))
    tasks = [filled, *(asyncio.create_task(use(pool, number)) for number in range(LIMIT))]
    try:
        assert await ended(*tasks), "a task waits, and all others have ended"
        again = asyncio.create_task(fill(pool))
        assert await ended(again), "a pool that is full is waited for"
        assert not isinstance(again.exception(), AssertionError), "wait() fails after one that was cancelled"
        await pool.resize(LIMIT, LIMIT)
        await asyncio.sleep(1)
        opened = len(Connection.opened)
        last = asyncio.create_task(use(pool, LIMIT))
        assert await ended(last), "the pool has lost its connections"
    finally:
        for task in tasks:
            task.cancel()
        assert await closed(pool, *tasks), "close() waits"
    assert not Connection.opened, "the pool is closed, and a connection is open"
    assert opened <= LIMIT, f"{opened} connections, and {LIMIT} are the limit"
    return opened


HARNESS = Harness(
    "psycopg-pool",
    main,
    cancel="use,fill",
    slow=True,
    finds={
        "AssertionError: the pool is closed, and a connection is open": "psycopg_pool_close",
        "AssertionError: * connections, and 3 are the limit": "psycopg_pool_resize",
        "AssertionError: wait() fails after one that was cancelled": "psycopg_pool_wait",
    },
)
