"""A queue without a design: a design says how it keeps items, how a task waits, and whom a change wakes."""

import asyncio
import sys
from collections import deque
from typing import Final, Generic, Literal, TypeVar

if sys.version_info >= (3, 13):
    from asyncio import QueueShutDown
else:

    class QueueShutDown(Exception):
        """Raised by put and get once the queue is shut down."""


T = TypeVar("T")
#: The thing that a task waits for: an item, or room for one.
Side = Literal["item", "room"]
SIDES: Final[tuple[Side, Side]] = ("item", "room")


def wake(waiter: asyncio.Future[None]) -> bool:
    """Wake the task that waits for the future, unless it is done; return whether it was not."""
    pending = not waiter.done()
    if pending:
        waiter.set_result(None)
    return pending


class QueueBase(Generic[T]):
    """asyncio's interface of a queue; a FIFO queue if `_add` and `_remove` are not overridden."""

    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._items: deque[T] = deque()
        self._down, self._unfinished, self._idle = False, 0, asyncio.Event()
        self._idle.set()

    def _add(self, item: T) -> None:
        self._items.append(item)

    def _remove(self) -> T:
        return self._items.popleft()

    async def _wait(self, side: Side) -> None:
        """Wait for a change of this side, or longer."""
        raise NotImplementedError

    def _changed(self, side: Side) -> None:
        """Wake tasks: there is an item more, or room for one more."""
        raise NotImplementedError

    def _closed(self) -> None:
        """Wake every task: the queue is shut down."""
        for side in SIDES:
            self._changed(side)

    def _blocked(self, side: Side) -> bool:
        """Return whether a task has to wait at this side."""
        return not self._down and (self.full() if side == "room" else self.empty())

    async def _until(self, side: Side) -> None:
        while self._blocked(side):
            await self._wait(side)

    def qsize(self) -> int:
        return len(self._items)

    def empty(self) -> bool:
        return not self.qsize()

    def full(self) -> bool:
        return 0 < self.maxsize <= self.qsize()

    async def put(self, item: T) -> None:
        await self._until("room")
        self.put_nowait(item)

    def put_nowait(self, item: T) -> None:
        if self._down:
            raise QueueShutDown
        if self.full():
            raise asyncio.QueueFull
        self._add(item)
        self._unfinished += 1
        self._idle.clear()
        self._changed("item")

    async def get(self) -> T:
        await self._until("item")
        return self.get_nowait()

    def get_nowait(self) -> T:
        if self.empty():
            raise QueueShutDown if self._down else asyncio.QueueEmpty
        item = self._remove()
        self._changed("room")
        return item

    def task_done(self) -> None:
        if not self._unfinished:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if not self._unfinished:
            self._idle.set()

    async def join(self) -> None:
        await self._idle.wait()

    def shutdown(self, immediate: bool = False) -> None:
        self._down = True
        while immediate and not self.empty():
            self.get_nowait()
            if self._unfinished:
                self.task_done()
        self._closed()
