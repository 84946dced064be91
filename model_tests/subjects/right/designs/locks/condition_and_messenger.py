"""A semaphore on a real Condition: a task of its own notifies it of each release.

The documentation says that release() "can wake up a task waiting to acquire the semaphore", but not at once.
"""

from __future__ import annotations

import asyncio


class Semaphore:
    def __init__(self, value: int = 1) -> None:
        if value < 0:
            raise ValueError("a semaphore must not begin below 0")
        self._value, self._waiting = value, 0
        self._change = asyncio.Condition()
        self._messengers: set[asyncio.Task[None]] = set()

    def locked(self) -> bool:
        return self._value == 0

    async def acquire(self) -> bool:
        if self._value == 0:
            self._waiting += 1
            try:
                async with self._change:
                    await self._change.wait_for(lambda: self._value > 0)
                    self._value -= 1
            finally:
                self._waiting -= 1
        else:
            self._value -= 1
        return True

    async def _tell(self) -> None:
        async with self._change:
            self._change.notify_all()

    def release(self) -> None:
        self._value += 1
        if self._waiting:
            messenger = asyncio.get_running_loop().create_task(self._tell())
            self._messengers.add(messenger)
            messenger.add_done_callback(self._messengers.discard)

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        self.release()


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._most = value

    def release(self) -> None:
        if self._value >= self._most:
            raise ValueError("released too often")
        super().release()
