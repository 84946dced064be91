"""A task returns a connection within a transaction, and is cancelled before, or meanwhile.  It should be cancelled."""

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

    async def rollback(self) -> None:
        await asyncio.sleep(0.1)
        self.pgconn.transaction_status = TransactionStatus.IDLE

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, *_: object) -> None:
        pass


async def main(returns: bool) -> str:
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


def outcome(wrong: bool) -> str:
    Connection.opened.clear()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("cancelled before:", outcome(False))
    print("cancelled while putconn() rolls back:", outcome(True))
