"""aiorwlock's writer lock as Lock.

Difference: only the task that holds the lock can release it, and the holder can acquire it again (it is reentrant).

Freedom: "Implements a mutex lock for asyncio tasks ... exclusive access to a shared resource" (Lock) does
not speak of a release by another task, nor of an acquire by the holder.
"""

import aiorwlock

from . import AcquiredPrimitive


class Lock(AcquiredPrimitive):
    def __init__(self) -> None:
        super().__init__(aiorwlock.RWLock().writer_lock)

    def locked(self) -> bool:
        return bool(self._inner.locked)
