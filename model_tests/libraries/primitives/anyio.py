"""anyio's Lock, Semaphore, Event and Condition.

Difference: a lock belongs to the task that acquired it, and is handed over directly; `acquire` and `wait` take a turn
of the loop even when they need not wait; an event cannot be cleared.

Freedom: "This method waits until the lock is unlocked, sets it to locked and returns True"
(Lock.acquire) does not say after how many iterations of the loop; "Implements a mutex lock for asyncio tasks" (Lock)
does not speak of a release by a task that does not hold it.
"""

from typing import Literal

import anyio

from . import AcquiredPrimitive, AsyncEvent, Notified, VisiblyHeld


class Lock(VisiblyHeld):
    def __init__(self) -> None:
        super().__init__(anyio.Lock())


class Semaphore(AcquiredPrimitive):
    def __init__(self, value: int = 1) -> None:
        super().__init__(anyio.Semaphore(value))

    def locked(self) -> bool:
        return bool(self._inner.value == 0)


class BoundedSemaphore(Semaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._inner = anyio.Semaphore(value, max_value=value)


class Event(AsyncEvent):
    def __init__(self) -> None:
        super().__init__(anyio.Event())


class Condition(Notified):
    def __init__(self) -> None:
        super().__init__(anyio.Condition())

    async def wait(self) -> Literal[True]:
        await self._inner.wait()
        return True

    def notify(self, n: int = 1) -> None:
        self._inner.notify(n)

    def notify_all(self) -> None:
        self._inner.notify_all()
