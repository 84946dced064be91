"""A queue of the module queue keeps items and counts; a list of futures is rung on each change.

The documentation says the design is "similar to classes of the queue module" and leaves the inside free.
"""

from __future__ import annotations

import asyncio
import queue

from ..queue_base import QueueBase, QueueShutDown, Side, T, wake

__all__ = ["Queue", "QueueShutDown"]


class Queue(QueueBase[T]):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        self._inner: queue.Queue[T] = queue.Queue(maxsize)
        self._waiters: list[asyncio.Future[None]] = []

    async def _wait(self, side: Side) -> None:
        self._waiters.append(asyncio.get_running_loop().create_future())
        await self._waiters[-1]

    def _changed(self, side: Side) -> None:
        while self._waiters:
            wake(self._waiters.pop(0))

    def qsize(self) -> int:
        return self._inner.qsize()

    def full(self) -> bool:
        return self._inner.full()

    def _add(self, item: T) -> None:
        self._inner.put_nowait(item)

    def _remove(self) -> T:
        return self._inner.get_nowait()

    def task_done(self) -> None:
        self._inner.task_done()
        super().task_done()
