"""A condition whose every waiter sleeps on a second acquire of its own private lock, as in threading.

The documentation says how many tasks notify() wakes, but not on what they wait.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Literal, TypeVar

T = TypeVar("T")


class Condition:
    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        self._lock = asyncio.Lock() if lock is None else lock
        self._beds: deque[asyncio.Lock] = deque()

    async def acquire(self) -> Literal[True]:
        return await self._lock.acquire()

    def release(self) -> None:
        self._lock.release()

    def locked(self) -> bool:
        return self._lock.locked()

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        bed = asyncio.Lock()
        await bed.acquire()  # free, so this does not wait
        self._beds.append(bed)
        self.release()
        stop: asyncio.CancelledError | None = None
        try:
            await bed.acquire()
        except asyncio.CancelledError as error:
            stop = error
        woken = bed not in self._beds
        if not woken:
            self._beds.remove(bed)
        while True:
            try:
                await self._lock.acquire()
                break
            except asyncio.CancelledError as error:
                stop = error
        if stop is None:
            return True
        if woken:
            self.notify()  # the wake-up goes on to another
        raise stop

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        while not (result := predicate()):
            await self.wait()
        return result

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for _ in range(min(n, len(self._beds))):
            self._beds.popleft().release()

    def notify_all(self) -> None:
        self.notify(len(self._beds))

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
