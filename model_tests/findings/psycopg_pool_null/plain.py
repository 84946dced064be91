"""A task returns a connection while another connects, and is cancelled, or is not.  The pool should serve two then."""

import asyncio
from types import SimpleNamespace
from typing import ClassVar

from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncNullConnectionPool, PoolTimeout


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


async def main(cancels: bool) -> str:
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


def outcome(wrong: bool) -> str:
    Connection.opened.clear()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without a cancel:", outcome(False))
    print("cancelled as it returns its connection:", outcome(True))
