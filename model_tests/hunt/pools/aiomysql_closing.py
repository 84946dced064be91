"""aiomysql: when a pool is closed or terminated, its users and wait_closed() end, and no connection is open."""

from __future__ import annotations

import asyncio

import aiomysql

from ..fakes.mysql import PORT, MySQL
from ..fakes.patience import ended
from ..harness import Harness

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


async def hold(pool: aiomysql.Pool, terminates: bool) -> int:
    tasks: list[asyncio.Task[int | None]] = [
        asyncio.create_task(use(pool, number)) for number in range(USERS)
    ]
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


async def main() -> list[int]:
    cancelled = []
    for terminates in (False, True):
        async with MySQL() as mysql:
            pool = await aiomysql.create_pool(SIZE, SIZE, host="localhost", port=PORT, user="u")
            try:
                cancelled.append(await hold(pool, terminates))
                pool.close()
                await pool.wait_closed()
                await asyncio.sleep(1)
                assert mysql.sessions == 0, "the pool is closed, and a connection is open"
            finally:
                await pool.clear()
    return cancelled


HARNESS = Harness(
    "aiomysql",
    main,
    cancel="use,end",
    slow=True,
    finds={
        "AssertionError: a user waits for a connection of a closed pool": "aiomysql_terminate",
        "AssertionError: the pool is closed, and a connection is open": "aiomysql_connect",
        "AssertionError: wait_closed() waits, and no connection is used": "aiomysql_closed",
    },
)
