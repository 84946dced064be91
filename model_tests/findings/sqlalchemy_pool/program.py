"""Three tasks share one connection: a task that is cancelled must not make another one wait, nor one that fails.

loopspec explore sqlalchemy_pool/program.py:main --cancel use
"""

import asyncio

from sqlalchemy.pool import AsyncAdaptedQueuePool
from sqlalchemy.util import await_only, greenlet_spawn


class Connection:
    """As much of a driver's connection as the pool calls, within a greenlet as the drivers for asyncio."""

    def __init__(self) -> None:
        await_only(asyncio.sleep(0.01))

    def rollback(self) -> None:
        pass

    def close(self) -> None:
        pass


def query(pool: AsyncAdaptedQueuePool) -> None:
    pool.connect().close()


async def use(pool: AsyncAdaptedQueuePool) -> None:
    await greenlet_spawn(query, pool)


async def main() -> None:
    pool = AsyncAdaptedQueuePool(Connection, pool_size=1, max_overflow=0, timeout=30)
    tasks = [asyncio.create_task(use(pool)) for _ in range(3)]
    _, waiting = await asyncio.wait(tasks, timeout=10)
    assert not waiting, "a task waits for a connection, and none is used"
