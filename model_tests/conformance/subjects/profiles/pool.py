"""A pool of connections, `POOL(size)`, with `await acquire()` and `release(connection)`, as a bounded semaphore."""

from collections.abc import Callable, Mapping
from typing import Any

from . import limiter
from .limiter import DIFFERS, LEFT_OUT

__all__ = ["DIFFERS", "LEFT_OUT", "adapt"]


# Any: a pool and its connections are of any class.
def adapt(pool: Callable[[int], Any]) -> Mapping[str, Any]:
    """Return a semaphore on `pool(size)`: an acquired connection is a permit, and has a borrower."""

    class Limiter:
        def __init__(self, value: int) -> None:
            self._pool = pool(value)
            self._connections: dict[object, Any] = {}

        async def acquire_on_behalf_of(self, borrower: object) -> None:
            self._connections[borrower] = await self._pool.acquire()

        def release_on_behalf_of(self, borrower: object) -> None:
            self._pool.release(self._connections.pop(borrower))

    return limiter.adapt(Limiter)
