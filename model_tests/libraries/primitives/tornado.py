"""tornado's Lock, Semaphore, BoundedSemaphore, Event and Queue; its Condition has no lock, and is another thing.

Difference: `acquire`, `get` and `put` return futures, which are resolved within `release` and `put`: a lock is handed
over and an item given away at once.

Freedom: "the coroutine that proceeds will be the first coroutine that started waiting on the lock"
(Lock.acquire) says which, not when it becomes the holder; "If queue is empty, wait until an item is available"
(Queue.get) does not say which task receives it.
"""

import asyncio
from typing import Any

from tornado import locks, queues

from . import AcquiredPrimitive, AsyncEvent, AsyncQueue


class Lock(AcquiredPrimitive):
    def __init__(self) -> None:
        super().__init__(locks.Lock())

    def locked(self) -> bool:
        return bool(self._inner._block._value == 0)


class Semaphore(AcquiredPrimitive):
    def __init__(self, value: int = 1) -> None:
        super().__init__(locks.Semaphore(value))

    def locked(self) -> bool:
        return bool(self._inner._value == 0)


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._inner = locks.BoundedSemaphore(value)


class Event(AsyncEvent):
    def __init__(self) -> None:
        super().__init__(locks.Event())

    def clear(self) -> None:
        self._inner.clear()


class Queue(AsyncQueue):
    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(queues.Queue(max(maxsize, 0)))

    def put_nowait(self, item: Any) -> None:
        try:
            super().put_nowait(item)
        except queues.QueueFull as error:
            raise asyncio.QueueFull from error

    def get_nowait(self) -> Any:
        try:
            return super().get_nowait()
        except queues.QueueEmpty as error:
            raise asyncio.QueueEmpty from error
