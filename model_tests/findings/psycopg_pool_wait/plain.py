"""A task waits for the pool to be full, and is cancelled, or is not.  Another should be able to wait then."""

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


async def main(cancels: bool) -> str:
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


def outcome(wrong: bool) -> str:
    Connection.opened.clear()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without a cancel:", outcome(False))
    print("the first is cancelled:", outcome(True))
