"""A condition whose notify() sends a task for the lock; a waiter wakes when its task has fetched it.

The documentation says "Once awakened, the Condition re-acquires its lock", but not which task stands in line for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Condition:
    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        self._lock = lock or asyncio.Lock()
        self.locked, self.acquire, self.release = self._lock.locked, self._lock.acquire, self._lock.release
        self._line: list[asyncio.Event] = []
        self._fetching: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        self.release()

    def _check(self) -> None:
        if not self.locked():
            raise RuntimeError("the lock is not held")

    async def _fetch(self, bell: asyncio.Event) -> None:
        await self.acquire()
        bell.set()

    def _send(self, bell: asyncio.Event) -> None:
        task = asyncio.get_running_loop().create_task(self._fetch(bell))
        self._fetching.add(task)
        task.add_done_callback(self._fetching.discard)
        # A waiter needs its lock, even when all tasks of the loop are cancelled at once.
        task.add_done_callback(lambda done: self._send(bell) if done.cancelled() else None)

    def notify(self, n: int = 1) -> None:
        self._check()
        called, self._line = self._line[:n], self._line[n:]
        for bell in called:
            self._send(bell)

    def notify_all(self) -> None:
        self.notify(len(self._line))

    async def wait(self) -> bool:
        self._check()
        bell, cancelled, notified = asyncio.Event(), None, True
        self._line.append(bell)
        self.release()
        while cancelled is None or not bell.is_set():
            try:
                await bell.wait()
                break
            except asyncio.CancelledError as error:
                cancelled = error
                if bell in self._line:
                    self._line.remove(bell)
                    self._send(bell)
                    notified = False
        if cancelled is None:
            return True
        if notified:
            self.notify()
        raise cancelled

    async def wait_for(self, predicate: Callable[[], T]) -> T:
        while not (result := predicate()):
            await self.wait()
        return result
