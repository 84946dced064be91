"""Harnesses of psycopg_pool.

The connections are made here: the real ones connect with libpq, which has sockets of its own.
"""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, ClassVar

from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool, AsyncNullConnectionPool

from ..fakes.patience import ended
from ..harness import harness_of


class PooledConnection:
    """As much of psycopg.AsyncConnection as the pools call; it needs no server.

    Its queries return their number, and it is within a transaction after one.
    """

    #: How long it takes to connect, and to answer.
    takes = 0.01
    opened: ClassVar[list[PooledConnection]] = []

    def __init__(self) -> None:
        self.pgconn = SimpleNamespace(transaction_status=TransactionStatus.IDLE)
        self.opened.append(self)

    @classmethod
    async def connect(cls, conninfo: str, **_: object) -> PooledConnection:
        await asyncio.sleep(cls.takes)
        return cls()

    async def close(self) -> None:
        self.pgconn.transaction_status = TransactionStatus.UNKNOWN
        if self in self.opened:
            self.opened.remove(self)

    async def execute(self, number: int) -> int:
        await self.answered(TransactionStatus.INTRANS)
        return number

    async def rollback(self) -> None:
        await self.answered(TransactionStatus.IDLE)

    async def answered(self, status: TransactionStatus) -> None:
        # If it is cancelled here, the answer never comes.
        free = (TransactionStatus.IDLE, TransactionStatus.INTRANS)
        assert self.pgconn.transaction_status in free, "a connection is used while it is not free"
        self.pgconn.transaction_status = TransactionStatus.ACTIVE
        await asyncio.sleep(self.takes)
        self.pgconn.transaction_status = status

    async def __aenter__(self) -> PooledConnection:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.pgconn.transaction_status == TransactionStatus.INTRANS:
            await self.rollback()


async def closed(pool: AsyncConnectionPool[Any], *users: asyncio.Task[Any]) -> bool:
    """Close a pool; return whether it, its users and its own tasks end.

    If the timeout of `close` expires, as its documentation says, it waits no longer for tasks that are about to end.
    """
    own = [task for task in asyncio.all_tasks() if task not in users and task is not asyncio.current_task()]
    return await ended(pool.close(), *users) and await ended(*own)


NULL_LIMIT, NULL_USERS = 2, 4


async def use_null(pool: AsyncNullConnectionPool, number: int) -> int:
    await asyncio.sleep(0.025 * number)  # it connects while the one before returns its connection
    async with pool.connection(timeout=60) as connection:
        return await connection.execute(number)


@harness_of(
    "psycopg-pool",
    cancel="use_null",
    finds={
        "AssertionError: no task has a connection, and one is open": "psycopg_pool_null",
        "AssertionError: the pool serves * of 2": "psycopg_pool_null",
        "AssertionError: a user waits, and all others have ended": "psycopg_pool_null",
    },
)
async def psycopg_pool_null() -> list[bool]:
    """A null pool serves as many users as its limit, though others are cancelled, and closes them all."""
    PooledConnection.opened.clear()
    pool = AsyncNullConnectionPool(name="p", connection_class=PooledConnection, open=False, max_size=NULL_LIMIT)
    await pool.open()
    users = [asyncio.create_task(use_null(pool, number)) for number in range(NULL_USERS)]
    try:
        assert await ended(*users), "a user waits, and all others have ended"
        assert not PooledConnection.opened, "no task has a connection, and one is open"
        both = [await ended(pool.getconn(timeout=60)) for _ in range(NULL_LIMIT)]
        assert all(both), f"the pool serves {sum(both)} of {NULL_LIMIT}"
        for connection in list(PooledConnection.opened):
            await pool.putconn(connection)
    finally:
        for user in users:
            user.cancel()
        assert await closed(pool, *users), "close() waits"
    return [user.cancelled() for user in users]


SIZE, LIMIT = 1, 3


async def reset(connection: PooledConnection) -> None:
    await asyncio.sleep(0)


async def fill(pool: AsyncConnectionPool) -> None:
    await pool.wait(timeout=60)


async def use(pool: AsyncConnectionPool, number: int) -> int:
    async with pool.connection(timeout=60) as connection:
        return await connection.execute(number)


@harness_of(
    "psycopg-pool",
    cancel="use,fill",
    slow=True,
    finds={
        "AssertionError: the pool is closed, and a connection is open": "psycopg_pool_close",
        "AssertionError: * connections, and 3 are the limit": "psycopg_pool_resize",
        "AssertionError: wait() fails after one that was cancelled": "psycopg_pool_wait",
    },
)
async def psycopg_pool_sizes() -> int:
    """A pool can be waited for and resized, has no more connections than its limit, and closes all."""
    PooledConnection.opened.clear()
    pool = AsyncConnectionPool(
        name="p", connection_class=PooledConnection, open=False, min_size=SIZE, max_size=LIMIT, reset=reset
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
        opened = len(PooledConnection.opened)
        last = asyncio.create_task(use(pool, LIMIT))
        assert await ended(last), "the pool has lost its connections"
    finally:
        for task in tasks:
            task.cancel()
        assert await closed(pool, *tasks), "close() waits"
    assert not PooledConnection.opened, "the pool is closed, and a connection is open"
    assert opened <= LIMIT, f"{opened} connections, and {LIMIT} are the limit"
    return opened


USERS = 2
#: Such a task still holds a lock of the pool, or releases it twice; with wait_for() of 3.12 it happens in no run.
TWICE = "wait_for() of CPython 3.11 leaves its task if cancelled twice"


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


@harness_of(
    "psycopg-pool",
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
async def psycopg_pool_users() -> list[str]:
    """Each user is served though others are cancelled, and a closed pool leaves no connection open."""
    PooledConnection.opened.clear()
    pool = AsyncConnectionPool(name="p", connection_class=PooledConnection, open=False, min_size=SIZE, max_size=SIZE)
    await pool.open()
    swallowed: list[str] = []
    tasks = [asyncio.create_task(use(pool, number)) for number in range(USERS)]
    tasks.append(asyncio.create_task(keep(pool, USERS, swallowed)))
    try:
        assert await ended(*tasks), "a user waits, and all others have ended"
        assert await ended(use(pool, 0)), "the pool has lost a connection"
        assert len(PooledConnection.opened) <= SIZE, f"{len(PooledConnection.opened)} connections are open"
    finally:
        for task in tasks:
            task.cancel()
        assert await closed(pool, *tasks), "close() waits"
    assert not swallowed, f"{swallowed[0]}() has swallowed the cancel of its caller"
    assert not PooledConnection.opened, "the pool is closed, and a connection is open"
    return [type(task.exception()).__name__ if not task.cancelled() else "cancelled" for task in tasks]
