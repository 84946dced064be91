"""Dijkstra's semaphore: each acquire takes one from a count, which below zero says how many tasks wait.

The documentation speaks of "an internal counter" and says that it "can never go below zero"; that one is not shown.
"""

from __future__ import annotations

import asyncio


class Semaphore:
    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("a semaphore must not begin below 0")
        self._count = value
        self._line: list[asyncio.Event] = []

    def locked(self) -> bool:
        return self._count <= 0

    async def acquire(self) -> bool:
        self._count -= 1
        if self._count < 0:
            me = asyncio.Event()
            self._line.append(me)
            try:
                await me.wait()
            except BaseException:
                if me.is_set():
                    self.release()
                else:
                    self._line.remove(me)
                    self._count += 1
                raise
        return True

    def release(self) -> None:
        self._count += 1
        if self._count <= 0:
            self._line.pop(0).set()

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._most = value

    def release(self) -> None:
        if max(0, self._count) >= self._most:
            raise ValueError("released too often")
        super().release()
