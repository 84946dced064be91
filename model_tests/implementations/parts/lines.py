"""A right queue, of a design of its own."""

import asyncio
import sys
from asyncio import Future
from collections import deque
from collections.abc import Callable
from typing import Any

#: The futures of waiting tasks, in order.  A waiter that is woken leaves the line.
Line = dict[Future[None], None]
#: asyncio.QueueShutDown, since 3.13; a queue of an older Python is never shut down.
Closed: Any = vars(asyncio).get("QueueShutDown", RuntimeError)


class LinesQueue(asyncio.Queue[Any]):
    """A right queue, of its own design: it has a line for each kind of waiter, and a future for each join."""

    __repr__ = __str__ = object.__repr__

    def __init__(self, maxsize: int = 0) -> None:
        self._bound = maxsize
        self._items: deque[Any] = deque()
        self._takers: Line = {}
        self._givers: Line = {}
        self._joins: list[Future[None]] = []
        self._count = 0
        self._closed = False

    @property
    def maxsize(self) -> int:
        return self._bound

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self._bound <= len(self._items)

    def _wake(self, line: Line) -> None:
        while line:
            waiter = next(iter(line))
            del line[waiter]
            if not waiter.done():
                waiter.set_result(None)
                return

    def _pass_on(self, line: Line) -> None:
        """A task of this line was woken, and leaves instead."""
        self._wake(line)

    async def _stand(self, line: Line, ready: Callable[[], bool]) -> None:
        while not ready():
            waiter: Future[None] = asyncio.get_running_loop().create_future()
            line[waiter] = None
            try:
                await waiter
            except BaseException:
                line.pop(waiter, None)
                if ready() and waiter.done() and not waiter.cancelled():
                    self._pass_on(line)
                raise

    async def get(self) -> Any:
        await self._stand(self._takers, lambda: bool(self._items) or self._closed)
        return self.get_nowait()

    async def put(self, item: Any) -> None:
        await self._stand(self._givers, lambda: not self.full() or self._closed)
        self.put_nowait(item)

    def get_nowait(self) -> Any:
        if not self._items:
            raise Closed if self._closed else asyncio.QueueEmpty
        item = self._items.popleft()
        self._wake(self._givers)
        return item

    def put_nowait(self, item: Any) -> None:
        if self._closed:
            raise Closed
        if self.full():
            raise asyncio.QueueFull
        self._add(item)

    def _add(self, item: Any) -> None:
        self._items.append(item)
        self._count += 1
        self._wake(self._takers)

    def _release(self) -> None:
        for join in self._joins:
            if not join.done():
                join.set_result(None)

    def task_done(self) -> None:
        if self._count <= 0:
            raise ValueError("task_done() called too many times")
        self._count -= 1
        if not self._count:
            self._release()

    async def join(self) -> None:
        if self._count > 0:
            self._joins.append(asyncio.get_running_loop().create_future())
            await self._until_released(self._joins[-1])

    async def _until_released(self, join: Future[None]) -> None:
        try:
            await join
        finally:
            self._joins.remove(join)

    if sys.version_info >= (3, 13):

        def shutdown(self, immediate: bool = False) -> None:
            self._closed = True
            if immediate:
                self._count = max(0, self._count - len(self._items))
                self._items.clear()
                if not self._count:
                    self._release()
            for line in (self._takers, self._givers):
                while line:
                    self._wake(line)
