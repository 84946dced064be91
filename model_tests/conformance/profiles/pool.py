"""A pool of connections, `POOL(size)`, with `await acquire()` and `release(connection)`, as a bounded semaphore."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .limiter import DIFFERS, LEFT_OUT

__all__ = ["DIFFERS", "LEFT_OUT", "adapt"]


# Any: a pool and its connections are of any class.
def adapt(pool: Callable[[int], Any]) -> Mapping[str, Any]:
    """Return a semaphore on `pool(size)`: an acquired connection is a permit."""

    class BoundedSemaphore:
        def __init__(self, value: int = 1) -> None:
            self._pool = pool(value)
            self._connections: list[Any] = []

        async def acquire(self) -> bool:
            self._connections.append(await self._pool.acquire())
            return True

        def release(self) -> None:
            if not self._connections:
                raise ValueError("nothing was acquired")
            self._pool.release(self._connections.pop(0))

        async def __aenter__(self) -> None:
            await self.acquire()

        async def __aexit__(self, *error: object) -> None:
            self.release()

    return {"BoundedSemaphore": BoundedSemaphore}
