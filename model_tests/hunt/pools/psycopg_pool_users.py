"""psycopg-pool: each user is served though others are cancelled, and a closed pool leaves no connection open."""

from __future__ import annotations

import asyncio

from psycopg_pool import AsyncConnectionPool

from ..fakes.patience import ended
from ..fakes.psycopg import Connection, closed
from ..harness import Harness

SIZE, USERS = 1, 2
#: Such a task still holds a lock of the pool, or releases it twice; with wait_for() of 3.12 it happens in no run.
TWICE = "wait_for() of CPython 3.11 leaves its task if cancelled twice"


async def use(pool: AsyncConnectionPool, number: int) -> int:
    async with pool.connection(timeout=60) as connection:
        return await connection.execute(number)


async def keep(pool: AsyncConnectionPool, number: int, swallowed: list[str]) -> int:
    task = asyncio.current_task()
    assert task
    connection = await pool.getconn(timeout=60)
    if task.cancelling():
        swallowed.append("getconn")
    try:
        value = await connection.execute(number)
    finally:
        await pool.putconn(connection)
    if task.cancelling() and not swallowed:
        swallowed.append("putconn")
    return value


async def main() -> list[str]:
    Connection.opened.clear()
    pool = AsyncConnectionPool(
        name="p", connection_class=Connection, open=False, min_size=SIZE, max_size=SIZE
    )
    await pool.open()
    swallowed: list[str] = []
    tasks = [asyncio.create_task(use(pool, number)) for number in range(USERS)]
    tasks.append(asyncio.create_task(keep(pool, USERS, swallowed)))
    try:
        assert await ended(*tasks), "a user waits, and all others have ended"
        assert await ended(use(pool, 0)), "the pool has lost a connection"
        assert len(Connection.opened) <= SIZE, f"{len(Connection.opened)} connections are open"
    finally:
        for task in tasks:
            task.cancel()
        assert await closed(pool, *tasks), "close() waits"
    assert not swallowed, f"{swallowed[0]}() has swallowed the cancel of its caller"
    assert not Connection.opened, "the pool is closed, and a connection is open"
    return [type(task.exception()).__name__ if not task.cancelled() else "cancelled" for task in tasks]


HARNESS = Harness(
    "psycopg-pool",
    main,
    cancel="use,keep",
    finds={
        "AssertionError: putconn() has swallowed*": "psycopg_pool_putconn",
        "AssertionError: the pool is closed, and a connection is open": "psycopg_pool_close",
    },
    allowed={
        "AssertionError: getconn() has swallowed*": "wait_for() of CPython 3.11 swallows a cancel, psycopg 1345",
        "AssertionError: a user waits*": TWICE,
        "AssertionError: close() waits": TWICE,
    },
)
