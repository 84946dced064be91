"""Wrong implementations of locks, events, conditions, semaphores and barriers."""

from __future__ import annotations

import asyncio
from asyncio import CancelledError, Future
from collections import deque
from typing import Literal


def _waiter() -> Future[None]:
    return asyncio.get_running_loop().create_future()


class CancelledWaiterUnlocks(asyncio.Lock):
    """A lock that a cancelled waiter releases, although another task holds it.

    Breaks "This method waits until the lock is unlocked, sets it to locked and returns True." Two tasks hold
    it then.
    """

    async def acquire(self) -> Literal[True]:
        try:
            return await super().acquire()
        except CancelledError:
            if self.locked():
                self.release()
            raise


class NewcomersGoFirst(asyncio.Semaphore):
    """A semaphore that a newcomer acquires before a waiter that was woken and has yet to run.

    Breaks "If it is zero, wait until a release() is called and return True", which asyncio does in order:
    "Maintain FIFO, wait for others to start". A task that releases and acquires in a loop starves all others
    (gh-90155).
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._line: list[list[Future[None]]] = []

    def locked(self) -> bool:
        return self._value == 0

    def _wake(self) -> None:
        for place in self._line:
            if not place[0].done():
                place[0].set_result(None)
                return

    async def acquire(self) -> Literal[True]:
        if self._value == 0:
            place = [_waiter()]
            self._line.append(place)
            try:
                await place[0]
                while self._value == 0:
                    place[0] = _waiter()
                    await place[0]
            except CancelledError:
                if self._value > 0 and not place[0].cancelled():
                    self._wake()
                raise
            finally:
                self._line.remove(place)
        self._value -= 1
        return True

    def release(self) -> None:
        self._value += 1
        self._wake()


class CappedSemaphore(asyncio.BoundedSemaphore):
    """A bounded semaphore that ignores a release too many.

    Breaks "Bounded Semaphore is a version of Semaphore that raises a ValueError in release() if it increases the
    internal counter above the initial value."
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._most = value

    def release(self) -> None:
        if self._value < self._most:
            super().release()


class PermitForTheCancelled(asyncio.Semaphore):
    """A semaphore that hands a permit to the first waiter, even if that is cancelled and has yet to leave.

    Breaks "Release a semaphore, incrementing the internal counter by one." The permit is lost.
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._line: deque[Future[None]] = deque()

    def locked(self) -> bool:
        return self._value == 0

    async def acquire(self) -> Literal[True]:
        if self._value > 0:
            self._value -= 1
            return True
        waiter = _waiter()
        self._line.append(waiter)
        try:
            await waiter
        except CancelledError:
            if not waiter.cancelled():
                self.release()
            elif waiter in self._line:
                self._line.remove(waiter)
            raise
        return True

    def release(self) -> None:
        if not self._line:
            self._value += 1
            return
        waiter = self._line.popleft()
        if not waiter.done():
            waiter.set_result(None)


class OneFutureForAll(asyncio.Event):
    """An event whose waiters all await the same future, so that a cancel of one is a cancel of all.

    Breaks "Wait until the event is set", and of Task.cancel "Request the Task to be cancelled": that one.
    """

    def __init__(self) -> None:
        super().__init__()
        self._flag = False
        self._next: Future[None] | None = None

    def is_set(self) -> bool:
        return self._flag

    def set(self) -> None:
        self._flag = True
        if self._next is not None and not self._next.done():
            self._next.set_result(None)
        self._next = None

    def clear(self) -> None:
        self._flag = False

    async def wait(self) -> Literal[True]:
        if not self._flag:
            if self._next is None or self._next.done():
                self._next = _waiter()
            await self._next
        return True


class _Sleepers(asyncio.Condition):
    """A right condition, of its own design: a list of waiters, and steps that can be replaced."""

    def __init__(self, lock: asyncio.Lock | None = None) -> None:
        super().__init__(lock)
        self._line: list[Future[None]] = []

    def _wake(self, n: int) -> None:
        for waiter in [waiter for waiter in self._line if not waiter.done()][:n]:
            waiter.set_result(None)

    def notify(self, n: int = 1) -> None:
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        self._wake(n)

    def notify_all(self) -> None:
        self.notify(len(self._line))

    async def _take_back(self) -> None:
        late: CancelledError | None = None
        while True:
            try:
                await self.acquire()
                break
            except CancelledError as error:
                late = error
        try:
            if late is not None:
                raise late
        finally:
            late = None

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self._line.append(waiter := _waiter())
        self.release()
        try:
            try:
                await waiter
            finally:
                self._line.remove(waiter)
                await self._take_back()
        except BaseException:
            self._wake(1)
            raise
        return True


class ForgetsTheMessage(_Sleepers):
    """A condition that remembers only that it was cancelled while it acquired its lock, and raises a new error.

    Breaks "The msg parameter is propagated from cancelled task to its awaiter." (since 3.13) The message is
    lost (gh-111693).
    """

    async def _take_back(self) -> None:
        cancelled = False
        while True:
            try:
                await self.acquire()
                break
            except CancelledError:
                cancelled = True
        if cancelled:
            raise CancelledError


class StaysBroken(asyncio.Barrier):
    """A barrier that stays broken when it is reset.

    Breaks "Return the barrier to the default, empty state."
    """

    async def reset(self) -> None:
        if not self.broken:
            await super().reset()
