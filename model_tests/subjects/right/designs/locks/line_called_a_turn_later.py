"""A lock whose release calls the head of the line one turn later, and a condition on top of it.

The documentation leaves free in which turn of the loop a waiter goes on, and when wait takes the lock again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Literal, TypeVar

T = TypeVar("T")


class Lock:
    def __init__(self) -> None:
        self._locked = False
        self._line: dict[asyncio.Future[None], None] = {}

    def locked(self) -> bool:
        return self._locked

    def _call_head(self) -> None:
        for head in self._line:
            if not self._locked and not head.done():
                head.set_result(None)
            break

    def _call_later(self) -> None:
        for head in self._line:
            head.get_loop().call_soon(self._call_head)
            break

    async def acquire(self) -> Literal[True]:
        if self._locked or self._line:
            turn = asyncio.get_running_loop().create_future()
            self._line[turn] = None
            try:
                await turn
            except asyncio.CancelledError:
                del self._line[turn]
                self._call_later()
                raise
            del self._line[turn]
        self._locked = True
        return True

    def release(self) -> None:
        if not self._locked:
            raise RuntimeError("the lock is not acquired")
        self._locked = False
        self._call_later()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *exc: object) -> None:
        self.release()


class Condition:
    def __init__(self, lock: Lock | asyncio.Lock | None = None) -> None:
        self._lock = Lock() if lock is None else lock
        self._sleepers: list[asyncio.Event] = []

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
        for event in self._sleepers[: max(n, 0)]:
            event.set()
        del self._sleepers[: max(n, 0)]

    def notify_all(self) -> None:
        self.notify(len(self._sleepers))

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("the lock is not acquired")
        event, cancelled = asyncio.Event(), None
        self._sleepers.append(event)
        self.release()
        try:
            await event.wait()
        except asyncio.CancelledError as error:
            cancelled = error
        while True:
            try:
                await self.acquire()
                break
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            if event in self._sleepers:
                self._sleepers.remove(event)
            else:
                self.notify()
            raise cancelled
        return True

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        while not (result := predicate()):
            await self.wait()
        return result
