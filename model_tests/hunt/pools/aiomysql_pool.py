"""aiomysql: each user of a pool is served though another is cancelled, and the pool closes all connections."""

from __future__ import annotations

import asyncio

import aiomysql

from ..fakes.mysql import PORT, MySQL
from ..fakes.patience import ended
from ..harness import Harness

LIMIT, USERS = 1, 2  # of more, a condition of CPython 3.11 may lose a notify: gh-112202


async def use(pool: aiomysql.Pool, number: int, closed: list[bool]) -> int:
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
    users = [asyncio.create_task(use(pool, number, closed)) for number in range(USERS)]
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


async def main() -> int:
    async with MySQL() as mysql:
        async with aiomysql.create_pool(0, LIMIT, host="localhost", port=PORT, user="u") as pool:
            cancelled = await hold(pool)
        await asyncio.sleep(1)
        assert mysql.sessions == 0, "the pool is closed, and a connection is open"
    return cancelled


HARNESS = Harness(
    "aiomysql",
    main,
    cancel="use",
    finds={
        "AssertionError: a user waits for ever, and the connection was closed": "aiomysql_closed",
        "AssertionError: a user waits for ever, and the connection is free": "aiomysql_release",
    },
)
