"""Each waiter has a number; notify lifts a mark, rings all, and those below the mark go on.

The documentation says how many tasks notify wakes and leaves free how it finds them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Literal, TypeVar

T = TypeVar("T")


class Condition:
    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        self._lock = asyncio.Lock() if lock is None else lock
        self._numbers, self._mark, self._bell = count(1), 0, asyncio.Event()
        self._waiting: list[int] = []

    def locked(self) -> bool:
        return self._lock.locked()

    async def acquire(self) -> Literal[True]:
        return await self._lock.acquire()

    def release(self) -> None:
        self._lock.release()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("the lock is not acquired")
        asleep = [number for number in self._waiting if number > self._mark][: max(n, 0)]
        self._mark = max([self._mark, *asleep])
        self._bell.set()
        self._bell = asyncio.Event()

    def notify_all(self) -> None:
        self.notify(len(self._waiting))

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("the lock is not acquired")
        number, cancelled = next(self._numbers), None
        self._waiting.append(number)
        self.release()
        try:
            while number > self._mark:
                await self._bell.wait()
        except asyncio.CancelledError as error:
            cancelled = error
            if number > self._mark:
                self._waiting.remove(number)
        while True:
            try:
                await self.acquire()
                break
            except asyncio.CancelledError as error:
                cancelled = error
        woken = number in self._waiting
        if woken:
            self._waiting.remove(number)
        if cancelled is not None:
            if woken:
                self.notify()
            raise cancelled
        return True

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        while not (result := predicate()):
            await self.wait()
        return result
