"""aiologic's Lock, Semaphore, BoundedSemaphore, Event, Condition and Queue.

Difference: the primitives are for threads too: a waiter is woken through `call_soon_threadsafe`.  A lock belongs to
the task that acquired it, and permits are handed over directly.

Freedom: "the coroutine that proceeds will be the first coroutine that started waiting on the lock"
(Lock.acquire) says which, not when; "If queue is empty, wait until an item is available" (Queue.get) does not name an
iteration of the loop; "Not thread-safe" (Lock) does not forbid more.
"""

from typing import Any, Literal

import aiologic

from . import AcquiredPrimitive, AsyncEvent, Notified, VisiblyHeld


class Asynchronous(AcquiredPrimitive):
    async def acquire(self) -> Literal[True]:
        await self._inner.async_acquire()
        return True

    def release(self) -> None:
        self._inner.async_release()


class Lock(Asynchronous, VisiblyHeld):
    def __init__(self) -> None:
        super().__init__(aiologic.Lock())


class Semaphore(Asynchronous):
    def __init__(self, value: int = 1) -> None:
        super().__init__(aiologic.Semaphore(value))

    def locked(self) -> bool:
        return bool(self._inner.value == 0)


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._inner = aiologic.BoundedSemaphore(value)

    def release(self) -> None:
        try:
            super().release()
        except RuntimeError as error:
            raise ValueError("released too many times") from error


class Event(AsyncEvent):
    def __init__(self) -> None:
        super().__init__(aiologic.REvent())

    def clear(self) -> None:
        self._inner.clear()

    async def wait(self) -> Literal[True]:
        await self._inner
        return True


class Condition(Asynchronous, Notified):
    """With the lock that aiologic recommends by default for threads, but not reentrant."""

    def __init__(self) -> None:
        lock = aiologic.Lock()
        super().__init__(lock)
        self._condition = aiologic.Condition(lock)

    async def wait(self) -> Literal[True]:
        await self._condition
        return True

    def notify(self, n: int = 1) -> None:
        self._condition.notify(n)

    def notify_all(self) -> None:
        self._condition.notify_all()


class Queue:
    """Without put_nowait: a put that must not block may raise QueueFull although the queue has no bound.

    That is so while a getter was woken and has not run yet; get_nowait is the same on its side.
    """

    # Any: items are anything.
    def __init__(self, maxsize: int = 0) -> None:
        self.maxsize = maxsize
        self._queue = aiologic.Queue(maxsize if maxsize > 0 else None)

    def qsize(self) -> int:
        return len(self._queue)

    def empty(self) -> bool:
        return not self.qsize()

    def full(self) -> bool:
        return 0 < self.maxsize <= self.qsize()

    async def put(self, item: Any) -> None:
        await self._queue.async_put(item)

    async def get(self) -> Any:
        return await self._queue.async_get()
