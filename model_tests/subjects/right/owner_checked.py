"""A lock that only its holder can release.

Difference: a release by another task raises RuntimeError, and so does a second acquire by the holder, which CPython
would let wait for ever.

Freedom: "Implements a mutex lock for asyncio tasks ... exclusive access to a shared resource" (Lock) does
not speak of a release by a task that does not hold the lock, nor of an acquire by the holder.  This is an interface
that differs on purpose, as those of anyio, trio and aiologic do.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal


class Lock(asyncio.Lock):
    # Any: the task of a program may be of any class.
    _holder: asyncio.Task[Any] | None = None

    async def acquire(self) -> Literal[True]:
        task = asyncio.current_task()
        if self._holder is not None and self._holder is task:
            raise RuntimeError("this task holds the lock already")
        await super().acquire()
        self._holder = task
        return True

    def release(self) -> None:
        if not self.locked():
            raise RuntimeError("the lock is not acquired")
        if self._holder is not asyncio.current_task():
            raise RuntimeError("another task holds the lock")
        self._holder = None
        super().release()
