"""A queue with a clerk: after each change a callback of the next turn counts items and wakes as many waiters.

The documentation does not say in which turn a waiter goes on, so the wake-up may come a turn later.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")
Line = dict[object, "asyncio.Future[None]"]
QueueShutDown: type[Exception] = getattr(asyncio, "QueueShutDown", type("QueueShutDown", (Exception,), {}))


class Queue(Generic[T]):
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: deque[T] = deque()
        self._open, self._zeros, self._down = 0, 0, False
        self._getters, self._putters, self._joiners = Line(), Line(), Line()

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self._items

    def full(self) -> bool:
        return 0 < self.maxsize <= len(self._items)

    def _call_clerk(self) -> None:
        for waiter in islice((w for line in (self._getters, self._putters) for w in line.values()), 1):
            waiter.get_loop().call_soon(self._serve)

    def _serve(self) -> None:
        room = None if self._down or self.maxsize <= 0 else max(0, self.maxsize - len(self._items))
        for line, count in ((self._getters, None if self._down else len(self._items)), (self._putters, room)):
            for waiter in islice(line.values(), count):
                if not waiter.done():
                    waiter.set_result(None)

    async def _stand(self, line: Line, blocked: Callable[[], bool]) -> None:
        place = object()
        try:
            while blocked():
                line[place] = asyncio.get_running_loop().create_future()  # a second time at the same place
                await line[place]
        finally:
            line.pop(place, None)
            self._call_clerk()

    async def put(self, item: T) -> None:
        await self._stand(self._putters, lambda: self.full() and not self._down)
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if self._down:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._items.append(item)
        self._open += 1
        self._call_clerk()

    async def get(self) -> T:
        await self._stand(self._getters, lambda: not self._items and not self._down)
        return self.get_nowait()

    def get_nowait(self) -> T:
        if not self._items:
            raise QueueShutDown if self._down else asyncio.QueueEmpty
        item = self._items.popleft()
        self._call_clerk()
        return item

    def task_done(self) -> None:
        if not self._open:
            raise ValueError("task_done() called too many times")
        self._open -= 1
        if not self._open:
            self._zeros += 1
            for waiter in self._joiners.values():
                if not waiter.done():
                    waiter.set_result(None)

    async def join(self) -> None:
        zeros = self._zeros
        await self._stand(self._joiners, lambda: self._open > 0 and self._zeros == zeros)

    def shutdown(self, immediate: bool = False) -> None:
        self._down = True
        while immediate and self._items:
            self._items.popleft()
            if self._open:
                self.task_done()
        self._call_clerk()
