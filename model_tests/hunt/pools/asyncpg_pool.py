"""asyncpg: each user of a pool is served though others are cancelled, and a pool that is closed leaves none open."""

from __future__ import annotations

import asyncio

import asyncpg

from ..fakes.patience import ended
from ..fakes.postgres import PORT, Postgres
from ..harness import Harness

SIZE, USERS = 2, 4


async def use(pool: asyncpg.Pool) -> str:
    async with pool.acquire() as connection:
        status: str = await connection.execute("SELECT")
        return status


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


async def main() -> list[bool]:
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


HARNESS = Harness("asyncpg", main, cancel="use", slow=True)
