"""A lock that is its line: the task at the head holds it, and a release drops the head and rings the next.

The documentation says that the first task that waited proceeds; it leaves free that the lock stays locked between.
"""

from __future__ import annotations

import asyncio


class Lock:
    def __init__(self) -> None:
        self._line: list[asyncio.Event] = []

    def locked(self) -> bool:
        return bool(self._line)

    async def acquire(self) -> bool:
        me = asyncio.Event()
        self._line.append(me)
        if self._line[0] is not me:
            try:
                await me.wait()
            except BaseException:
                # Another task may have released the lock for this one, which did not wake.
                if me in self._line:
                    self._leave(me)
                raise
        return True

    def _leave(self, place: asyncio.Event) -> None:
        self._line.remove(place)
        if self._line:
            self._line[0].set()

    def release(self) -> None:
        if not self._line:
            raise RuntimeError("the lock is not locked")
        self._leave(self._line[0])

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(self, *error: object) -> None:
        self.release()
