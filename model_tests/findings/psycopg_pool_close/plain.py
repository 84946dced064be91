"""A pool with a reset function, or with none, is closed when a connection was returned.  It should be closed, too."""

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


async def reset(connection: Connection) -> None:
    """It does nothing; another would end what the user has changed in the session."""


async def main(resets: bool) -> str:
    pool = AsyncConnectionPool(
        connection_class=Connection, min_size=1, open=False, reset=reset if resets else None
    )
    async with pool, pool.connection():
        pass
    await asyncio.sleep(0.2)
    return f"{len(Connection.opened)} open"


def outcome(wrong: bool) -> str:
    Connection.opened.clear()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("without reset:", outcome(False))
    print("with reset:", outcome(True))
