"""asyncio's queues and locks: ours, with asyncio's error classes and the attributes that asyncio's tests read.

Our primitives find the host of asyncio's running loop by themselves.  An error that may be raised where no loop is
running is a class attribute.  asyncio's `repr` shows the address; ours does not.
"""

from __future__ import annotations

import asyncio
from types import GenericAlias
from typing import Any, ClassVar

from ... import errors
from ...sync import barrier, condition, locks, queue

# asyncio's own since 3.13.
QueueShutDown: type[Exception] = getattr(asyncio, "QueueShutDown", errors.QueueShutDown)


# Any: one of the classes below; its `_about` returns the text after the name.
def _shown(self: Any) -> str:
    return f"<{object.__repr__(self)[1:-1]} [{self._about()}]>"


class Event(locks.Event):
    __repr__ = _shown


class Lock(locks.Lock):
    __repr__ = _shown


class Semaphore(locks.Semaphore):
    __repr__ = _shown


class BoundedSemaphore(locks.BoundedSemaphore):
    __repr__ = _shown


class Condition(condition.Condition):
    __repr__ = _shown


class Barrier(barrier.Barrier):
    __repr__ = _shown
    Broken = asyncio.BrokenBarrierError


class Queue(queue.Queue[Any]):  # Any, here and below: items have any type
    Empty = asyncio.QueueEmpty
    Full = asyncio.QueueFull
    ShutDown = QueueShutDown
    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)

    @property
    def _unfinished_tasks(self) -> int:
        return self._unfinished

    @_unfinished_tasks.setter
    def _unfinished_tasks(self, count: int) -> None:
        self._unfinished = count

    def _format(self) -> str:
        parts = (
            f"maxsize={self.maxsize}",
            f"_queue={list(self._items)!r}" if self._items else "",
            f"_getters[{len(self._getters)}]" if self._getters else "",
            f"_putters[{len(self._putters)}]" if self._putters else "",
            f"tasks={self._unfinished}" if self._unfinished else "",
            "shutdown" if self._shut else "",
        )
        return " ".join(part for part in parts if part)

    def __str__(self) -> str:
        return f"<{type(self).__name__} {self._format()}>"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x} {self._format()}>"


class LifoQueue(Queue, queue.LifoQueue[Any]):
    pass


class PriorityQueue(Queue, queue.PriorityQueue[Any]):
    pass
