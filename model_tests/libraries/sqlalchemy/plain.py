"""Two tasks share one connection; the first is cancelled as it connects, or is not.  The second should be served."""

import asyncio

from sqlalchemy.pool import AsyncAdaptedQueuePool
from sqlalchemy.util import await_only, greenlet_spawn


class Connection:
    """As much of a driver's connection as the pool calls, within a greenlet as the drivers for asyncio."""

    def __init__(self) -> None:
        await_only(asyncio.sleep(0.1))

    def rollback(self) -> None:
        pass

    def close(self) -> None:
        pass


def query(pool: AsyncAdaptedQueuePool) -> None:
    pool.connect().close()


async def main(cancels: bool) -> str:
    pool = AsyncAdaptedQueuePool(Connection, pool_size=1, max_overflow=0, timeout=30)
    first = asyncio.create_task(greenlet_spawn(query, pool))
    second = asyncio.create_task(greenlet_spawn(query, pool))
    await asyncio.sleep(0.05)
    if cancels:
        first.cancel()
    await asyncio.wait([first, second], timeout=1)
    shown = "served" if second.done() else f"waits, though {pool.checkedout()} connections are used"
    second.cancel()
    await asyncio.wait([second])
    return shown


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the first connects:", outcome(False))
    print("the first is cancelled:", outcome(True))
