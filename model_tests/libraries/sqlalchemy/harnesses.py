"""Harnesses of sqlalchemy."""

import asyncio

from sqlalchemy.exc import TimeoutError
from sqlalchemy.pool import AsyncAdaptedQueuePool
from sqlalchemy.util import await_only, greenlet_spawn

from ..fakes.patience import ended
from ..harness import harness_of

SIZE, USERS = 1, 3


class GreenletConnection:
    """As much of a driver's connection as a pool calls, within a greenlet as the drivers for asyncio."""

    opened = 0

    def __init__(self) -> None:
        await_only(asyncio.sleep(0.01))
        GreenletConnection.opened += 1

    def execute(self) -> None:
        await_only(asyncio.sleep(0.01))

    def rollback(self) -> None:
        await_only(asyncio.sleep(0.01))

    def close(self) -> None:
        GreenletConnection.opened -= 1


def query(pool: AsyncAdaptedQueuePool) -> None:
    connection = pool.connect()
    try:
        connection.execute()
    finally:
        connection.close()


async def use(pool: AsyncAdaptedQueuePool) -> None:
    await greenlet_spawn(query, pool)


@harness_of(
    "SQLAlchemy",
    cancel="use",
    finds={"AssertionError: a user waits, and 0 connections are used": "sqlalchemy_pool"},
)
async def sqlalchemy_pool() -> list[bool]:
    """Each task that waits for a connection of an asyncio pool gets one though others are cancelled or fail."""
    GreenletConnection.opened = 0
    pool = AsyncAdaptedQueuePool(GreenletConnection, pool_size=SIZE, max_overflow=0, timeout=60)
    users = [asyncio.create_task(use(pool)) for _ in range(USERS)]
    assert await ended(*users), f"a user waits, and {pool.checkedout()} connections are used"
    assert await ended(use(pool)), "the pool serves no user any more"
    assert GreenletConnection.opened <= SIZE, f"{GreenletConnection.opened} connections are open"
    for user in users:
        error = None if user.cancelled() else user.exception()
        assert error is None or isinstance(error, TimeoutError), repr(error)
    await greenlet_spawn(pool.dispose)
    assert GreenletConnection.opened == 0, f"the pool is closed, and {GreenletConnection.opened} connections are open"
    return [user.cancelled() for user in users]
