"""As much of psycopg.AsyncConnection as its pools need: libpq, which it connects with, has sockets of its own."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace, TracebackType
from typing import Any, ClassVar

from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool

from .patience import ended

TAKES = 0.01


class Connection:
    """A connection; its queries return their number, and it is within a transaction after one."""

    #: Those that are open.
    opened: ClassVar[list[Connection]] = []

    def __init__(self) -> None:
        self.pgconn = SimpleNamespace(transaction_status=TransactionStatus.IDLE)
        self._pool: Any = None
        self.opened.append(self)

    @classmethod
    async def connect(cls, conninfo: str, **_: object) -> Connection:
        await asyncio.sleep(TAKES)
        return cls()

    async def close(self) -> None:
        self.pgconn.transaction_status = TransactionStatus.UNKNOWN
        if self in self.opened:
            self.opened.remove(self)

    async def execute(self, number: int) -> int:
        await self._answered(TransactionStatus.INTRANS)
        return number

    async def rollback(self) -> None:
        await self._answered(TransactionStatus.IDLE)

    async def _answered(self, status: TransactionStatus) -> None:
        # If it is cancelled here, the answer never comes.
        assert self.pgconn.transaction_status in (TransactionStatus.IDLE, TransactionStatus.INTRANS), (
            "a connection is used while it is not free"
        )
        self.pgconn.transaction_status = TransactionStatus.ACTIVE
        await asyncio.sleep(TAKES)
        self.pgconn.transaction_status = status

    async def __aenter__(self) -> Connection:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.pgconn.transaction_status == TransactionStatus.INTRANS:
            await self.rollback()


async def closed(pool: AsyncConnectionPool[Any], *users: asyncio.Task[Any]) -> bool:
    """Close a pool; return whether it, its users and its own tasks end.

    If the timeout of `close` expires, as its documentation says, it waits no longer for tasks that are about to end.
    """
    own = [task for task in asyncio.all_tasks() if task not in users and task is not asyncio.current_task()]
    return await ended(pool.close(), *users) and await ended(*own)
