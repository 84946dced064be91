"""The min_size of a pool is raised to its max_size, 3, before it has grown, or after.  It should have 3 connections."""

import asyncio
from types import SimpleNamespace
from typing import ClassVar

from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool


class Connection:
    """As much of psycopg.AsyncConnection as the pool calls; it needs no server."""

    opened: ClassVar[list["Connection"]] = []

    def __init__(self) -> None:
        self.pgconn = SimpleNamespace(transaction_status=TransactionStatus.IDLE)
        self.opened.append(self)

    @classmethod
    async def connect(cls, conninfo: str, **_: object) -> "Connection":
        await asyncio.sleep(0.1)
        return cls()

    async def close(self) -> None:
        self.pgconn.transaction_status = TransactionStatus.UNKNOWN
        if self in self.opened:
            self.opened.remove(self)

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


async def main(grown: bool) -> str:
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


def outcome(wrong: bool) -> str:
    Connection.opened.clear()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("before it has grown:", outcome(False))
    print("after it has grown:", outcome(True))
