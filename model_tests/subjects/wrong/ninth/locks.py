"""Wrong implementations of asyncio's locks, events, conditions, semaphores and barriers."""

import asyncio
import itertools
from collections import deque
from collections.abc import Callable
from typing import Any, Literal


class LockOfOneToken(asyncio.Lock):
    """A lock that is a queue with one token, which a newcomer takes before the waiter that was woken for it.

    Breaks "Acquiring a lock is fair: the coroutine that proceeds will be the first coroutine that started waiting".
    """

    def __init__(self) -> None:
        super().__init__()
        self._tokens: asyncio.Queue[bool] = asyncio.Queue()
        self._tokens.put_nowait(True)

    def locked(self) -> bool:
        return self._tokens.empty()

    async def acquire(self) -> Literal[True]:
        await self._tokens.get()
        return True

    def release(self) -> None:
        if not self.locked():
            raise RuntimeError("Lock is not acquired.")
        self._tokens.put_nowait(True)


class LockOfTickets(asyncio.Lock):
    """A lock that serves its waiters by ticket, also the ticket of a waiter that was cancelled.

    Breaks "This method waits until the lock is unlocked" of `Lock.acquire`: then it is unlocked, and all wait on.
    """

    def __init__(self) -> None:
        super().__init__()
        self._tickets = itertools.count()
        self._served = 0
        self._calls: dict[int, asyncio.Future[None]] = {}

    async def acquire(self) -> Literal[True]:
        ticket = next(self._tickets)
        if ticket != self._served:
            self._calls[ticket] = asyncio.get_running_loop().create_future()
            try:
                await self._calls[ticket]
            except asyncio.CancelledError:
                if ticket == self._served:
                    self._wake_up_first()
                raise
            finally:
                del self._calls[ticket]
        self._locked = True
        return True

    def _wake_up_first(self) -> None:
        self._served += 1
        if self._served in self._calls and not self._calls[self._served].done():
            self._calls[self._served].set_result(None)


class LockThatStaysLockedAfterAnError(asyncio.Lock):
    """A lock whose block releases it only if it ends without an error.

    Breaks "The preferred way to use a Lock is an async with statement", which stands for try and finally.
    """

    async def __aexit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is None:
            self.release()


class ConditionThatAsksOnceMore(asyncio.Condition):
    """A condition whose wait_for calls the predicate once more for its value, when it has held already.

    Breaks "The final value is the return value": a predicate that takes an item away has another value then.
    """

    async def wait_for(self, predicate: Callable[[], Any]) -> Any:
        while not predicate():
            await self.wait()
        return predicate()


class ConditionThatShieldsItsLock(asyncio.Condition):
    """A condition whose wait acquires the lock again in a shield, and leaves without it when cancelled there.

    Breaks "Once awakened, the Condition re-acquires its lock": the lock goes to a task in the background.
    """

    _waiters: deque[asyncio.Future[bool]]

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        waiter = asyncio.get_running_loop().create_future()
        self.release()
        self._waiters.append(waiter)
        try:
            try:
                await waiter
                return True
            finally:
                self._waiters.remove(waiter)
                await asyncio.shield(self.acquire())
        except BaseException:
            other = next((each for each in self._waiters if not each.done()), None)
            if other is not None:
                other.set_result(False)
            raise


class SemaphoreThatCountsBelowZero(asyncio.Semaphore):
    """A semaphore whose counter goes below zero for each waiter, and stays there for one that was cancelled.

    Breaks "The counter can never go below zero", and the next release frees no permit.
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._line: deque[asyncio.Future[None]] = deque()

    def locked(self) -> bool:
        return self._value <= 0 or not all(each.cancelled() for each in self._line)

    async def acquire(self) -> Literal[True]:
        free = not self.locked()
        self._value -= 1
        if not free:
            waiter = asyncio.get_running_loop().create_future()
            self._line.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                if not waiter.cancelled():
                    self.release()
                raise
            finally:
                self._line.remove(waiter)
                if self._value + sum(not each.done() for each in self._line) > 0:
                    self._wake_up_next()
        return True

    def _wake_up_next(self) -> None:
        waiter = next((each for each in self._line if not each.done()), None)
        if waiter is not None:
            waiter.set_result(None)


class SemaphoreThatDropsReleases(asyncio.Semaphore):
    """A semaphore that ignores a release above its initial value; with 0, it ignores all.

    Breaks "Unlike BoundedSemaphore, Semaphore allows making more release() calls than acquire() calls".
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._initial = value

    def release(self) -> None:
        if self._value < self._initial:
            super().release()
