"""asyncpg: a pool that is closed interrupts no user, and one that is closed, or not created, leaves nothing open."""

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


async def main() -> None:
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


HARNESS = Harness(
    "asyncpg",
    main,
    cancel="use,close,create",
    slow=True,
    finds={"AssertionError: close() interrupts a user: *": "asyncpg_close"},
)
