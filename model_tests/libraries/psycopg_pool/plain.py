"""Cases of psycopg_pool: python plain.py [CASE...]"""

import asyncio
import sys
from types import SimpleNamespace
from typing import ClassVar

from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool, AsyncNullConnectionPool, PoolTimeout


class Connection:
    """As much of psycopg.AsyncConnection as the pools call; it needs no server.

    Its queries return their number, and it is within a transaction after one.
    """

    #: How long it takes to connect, and to answer.
    takes = 0.1
    opened: ClassVar[list["Connection"]] = []

    def __init__(self) -> None:
        self.pgconn = SimpleNamespace(transaction_status=TransactionStatus.IDLE)
        self.opened.append(self)

    @classmethod
    async def connect(cls, conninfo: str, **_: object) -> "Connection":
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

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.pgconn.transaction_status == TransactionStatus.INTRANS:
            await self.rollback()


async def reset(connection: Connection) -> None:
    """It does nothing; another would undo the user's changes of the session."""


async def close(resets: bool) -> str:
    """A pool with a reset function, or with none, is closed when a connection was returned.  It should be, too."""
    pool = AsyncConnectionPool(
        connection_class=Connection, min_size=1, open=False, reset=reset if resets else None
    )
    async with pool, pool.connection():
        pass
    await asyncio.sleep(0.2)
    return f"{len(Connection.opened)} open"


async def null(cancels: bool) -> str:
    """A task returns a connection while another connects, and is cancelled, or not.  The pool should serve two then."""
    pool = AsyncNullConnectionPool(connection_class=Connection, max_size=2, open=False)
    await pool.open()
    first = await pool.getconn()
    second = asyncio.create_task(pool.getconn())
    await asyncio.sleep(0.03)  # it connects
    returns = asyncio.create_task(pool.putconn(first))
    await asyncio.sleep(0.03)
    if cancels:
        returns.cancel()
    await asyncio.wait([returns, second])
    try:
        third = await pool.getconn(timeout=1)
    except PoolTimeout:
        shown = "serves one"
    else:
        shown = "serves two"
        await pool.putconn(third)
    await pool.putconn(second.result())
    await pool.close()
    return shown


async def putconn(returns: bool) -> str:
    """A task returns a connection within a transaction, and is cancelled before, or meanwhile.  It should end."""
    pool = AsyncConnectionPool(connection_class=Connection, min_size=1, open=False)
    await pool.open(wait=True)

    async def use() -> str:
        connection = await pool.getconn()
        try:
            connection.pgconn.transaction_status = TransactionStatus.INTRANS
            await asyncio.sleep(0.1)
        finally:
            await pool.putconn(connection)
        return "goes on"

    user = asyncio.create_task(use())
    await asyncio.sleep(0.15 if returns else 0.05)
    user.cancel()
    await asyncio.wait([user])
    await pool.close()
    return "cancelled" if user.cancelled() else user.result()


async def resize(grown: bool) -> str:
    """The min_size of a pool is raised to its max_size, 3, before it has grown, or after.  It should have 3."""
    pool = AsyncConnectionPool(connection_class=Connection, min_size=1, max_size=3, open=False)
    await pool.open(wait=True)
    if grown:
        connections = [await pool.getconn() for _ in range(3)]
        for connection in connections:
            await pool.putconn(connection)
    await pool.resize(3, 3)
    await asyncio.sleep(0.5)
    shown = f"{len(Connection.opened)} connections"
    await pool.close()
    return shown


async def wait(cancels: bool) -> str:
    """A task waits for the pool to be full, and is cancelled, or is not.  Another should be able to wait then."""
    pool = AsyncConnectionPool(connection_class=Connection, min_size=1, open=False)
    await pool.open()
    first = asyncio.create_task(pool.wait())
    await asyncio.sleep(0.05)
    if cancels:
        first.cancel()
    await asyncio.wait([first])
    try:
        await pool.wait()
    except AssertionError:
        shown = "AssertionError"
    else:
        shown = "full"
    await pool.close()
    return shown


#: By the name of a case: its function, and when the bug does not show, and when it does.
CASES = {
    "close": (close, "without reset", "with reset"),
    "null": (null, "without a cancel", "cancelled as it returns its connection"),
    "putconn": (putconn, "cancelled before", "cancelled while putconn() rolls back"),
    "resize": (resize, "before it has grown", "after it has grown"),
    "wait": (wait, "without a cancel", "the first is cancelled"),
}


def outcome(case: str, wrong: bool) -> str:
    Connection.opened.clear()
    return asyncio.run(CASES[case][0](wrong))


if __name__ == "__main__":
    for case in sys.argv[1:] or CASES:
        for wrong, label in enumerate(CASES[case][1:]):
            print(f"{label}:", outcome(case, bool(wrong)))
