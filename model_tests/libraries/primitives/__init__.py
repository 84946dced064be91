"""Bases of the adapters: asyncio's interface over an object of a library, where that has the same methods.

An adapter translates names, results and exceptions, and adds no await of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

T = TypeVar("T")

# Any: the objects of libraries need not be typed, nor installed.


class AcquiredPrimitive:
    """A primitive that is acquired and released, also by `async with`."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def acquire(self) -> Literal[True]:
        await self._inner.acquire()
        return True

    def release(self) -> None:
        self._inner.release()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        self.release()


class VisiblyHeld(AcquiredPrimitive):
    """A primitive that says whether it is held."""

    def locked(self) -> bool:
        return bool(self._inner.locked())


class Notified(VisiblyHeld):
    """A condition: a lock that is held, and `wait` of the subclass."""

    async def wait(self) -> Literal[True]:
        raise NotImplementedError

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        while not (result := predicate()):
            await self.wait()
        return result


class AsyncEvent:
    """An event over one with the methods of asyncio's, which may lack `clear`."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def is_set(self) -> bool:
        return bool(self._inner.is_set())

    def set(self) -> None:
        self._inner.set()

    async def wait(self) -> Literal[True]:
        await self._inner.wait()
        return True


class AsyncQueue:
    """A queue over one with the methods of asyncio's."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    @property
    def maxsize(self) -> int:
        return int(self._inner.maxsize)

    def qsize(self) -> int:
        return int(self._inner.qsize())

    def empty(self) -> bool:
        return bool(self._inner.empty())

    def full(self) -> bool:
        return bool(self._inner.full())

    def put_nowait(self, item: Any) -> None:
        self._inner.put_nowait(item)

    def get_nowait(self) -> Any:
        return self._inner.get_nowait()

    async def put(self, item: Any) -> None:
        await self._inner.put(item)

    async def get(self) -> Any:
        return await self._inner.get()

    def task_done(self) -> None:
        self._inner.task_done()

    async def join(self) -> None:
        await self._inner.join()
