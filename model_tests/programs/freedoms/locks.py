"""Locks, semaphores, events, conditions and barriers with the freedoms of an implementation."""

from collections import deque
from functools import partial
from typing import Literal

import impl
from impl.interfaces import Waiter
from impl.sync.waiters import wake, woken

from .draws import Calls, Hearing, Wake, drawn, pause, picked, unspecified


class Lock(Hearing, impl.Lock):
    """A lock that `release` may give to the first waiter; it stays locked meanwhile.

    A waiter that was cancelled is in line until it runs; it gives the lock back then.
    """

    __slots__ = ("_calls", "_given")

    def __init__(self) -> None:
        super().__init__()
        self._calls = Calls()
        #: The waiters that it was given to and that have not run since.
        self._given: list[Waiter] = []

    async def acquire(self) -> Literal[True]:
        late = await self._calls.enter()
        if self._locked or not all(each.cancelled() or each in self._given for each in self._waiters):
            await self._wait()
        else:
            self._locked = True
        if not late:
            await pause(partial(Lock.release, self))
        return True

    async def _wait(self) -> None:
        waiter = self._join_line(self._waiters)
        try:
            await waiter
        except BaseException:
            if self.left(waiter):
                Lock.release(self)
            elif not self._locked:
                self._knock()
            raise
        given = self.left(waiter)
        self._locked = self._locked or not given

    def left(self, waiter: Waiter) -> bool:
        """Take a waiter out of the line; return whether the lock was given to it."""
        self._waiters.remove(waiter)
        given = waiter in self._given
        if given:
            self._given.remove(waiter)
        return given

    def release(self) -> None:
        if self._locked and any(woken(waiter) for waiter in self._given):
            unspecified()  # the holder has yet to run
        for waiter in self._waiters if self._locked else ():
            if not woken(waiter) and waiter not in self._given and drawn():
                self._given.append(waiter)
                if not waiter.done():
                    waiter.set_result(True)
                return
            if not waiter.done():
                break
        super().release()


class Semaphore(Hearing, impl.Semaphore):  # without __slots__, so that BoundedSemaphore can have it as a base
    """A semaphore that counts a permit as taken when it is given to a waiter, before the waiter runs.

    A waiter that was cancelled is in line until it runs; it gives the permit back then.
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._calls = Calls()
        #: The cancelled waiters that a permit was given to.
        self._given: list[Waiter] = []

    def locked(self) -> bool:
        return super().locked() and not (self._value > 0 and all(waiter.done() for waiter in self._waiters) and drawn())

    async def acquire(self) -> Literal[True]:
        late = await self._calls.enter()
        try:
            await super().acquire()
        except BaseException:
            for waiter in [each for each in self._given if each not in self._waiters]:
                self._given.remove(waiter)
                Semaphore.release(self)
            raise
        if not late:
            await pause(partial(Semaphore.release, self))
        return True

    def _hand_over(self) -> bool:
        for waiter in self._waiters:
            if waiter.cancelled() and waiter not in self._given and drawn():
                self._value -= 1
                self._given.append(waiter)
                return True
            if not waiter.done():
                break
        return super()._hand_over()


class BoundedSemaphore(Semaphore, impl.BoundedSemaphore):
    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._acquired = 0

    async def acquire(self) -> Literal[True]:
        await super().acquire()
        self._acquired += 1
        return True

    def release(self) -> None:
        if not self._acquired and self._value < self._bound:
            unspecified()  # all permits are on their way to tasks that have yet to run
        super().release()
        self._acquired -= 1


class Event(Hearing, impl.Event):
    __slots__ = ()

    async def wait(self) -> Literal[True]:
        await super().wait()
        await pause()
        return True


class Condition(Hearing, impl.Condition):
    """A condition; its `notify` may put the waiters into the line of the lock at once."""

    __slots__ = ("_moved",)

    def __init__(self, lock: impl.Lock | None = None) -> None:
        super().__init__(Lock() if lock is None else lock)
        #: The waiters that stand in the line of the lock.
        self._moved: list[Waiter] = []

    async def wait(self) -> Literal[True]:
        if not self.locked():
            raise RuntimeError("the lock is not held")
        waiter = self._join_line(self._waiters)
        self.release()
        try:
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
                if not self._has_lock(waiter):
                    await self._take_again()
        except BaseException:
            self._hand_on(woken(waiter) or waiter in self._moved)
            raise
        await pause()
        return True

    async def _take_again(self) -> None:
        if not (self.locked() and drawn()):
            await super()._take_again()
            return
        late: BaseException | None = None
        taken = impl.create_task(self.acquire())  # keeps its place in the line when the waiter is cancelled
        while not taken.done():
            try:
                await impl.wait([taken])
            except impl.CancelledError as error:
                late = error
        if late is not None:
            try:
                raise late
            finally:
                late = None  # as in impl: a cycle would keep its objects

    def _hand_on(self, notified: bool) -> None:
        if notified:
            self.notify()

    def _has_lock(self, waiter: Waiter) -> bool:
        """Take a waiter out of the line of the lock; return whether it has the lock now."""
        lock = self._lock
        if waiter not in self._moved or not isinstance(lock, Lock):
            return False
        given = lock.left(waiter)
        if not given and woken(waiter) and not lock.locked():
            lock._locked = given = True
        return given

    def notify(self, n: int = 1) -> None:
        lock = self._lock
        waiting = [waiter for waiter in self._waiters if not waiter.done() and waiter not in self._moved]
        if not self.locked():
            super().notify(n)
        elif waiting and isinstance(lock, Lock) and drawn():
            lock._waiters.extend(waiting[:n])
            self._moved.extend(waiting[:n])
        else:
            wake(deque(waiting), n, True)


class Barrier(impl.Barrier):
    __slots__ = ()

    async def wait(self) -> int:
        place = await super().wait()
        await pause()
        return place


class BarrierOnLock(Barrier):
    """asyncio's barrier on a lock that may take a turn."""

    __slots__ = ("_calls",)

    def __init__(self, parties: int) -> None:
        super().__init__(parties)
        self._calls = Calls()

    async def wait(self) -> int:
        await self._calls.enter()
        return await super().wait()

    async def reset(self) -> None:
        await self._calls.enter()
        await super().reset()

    async def abort(self) -> None:
        await self._calls.enter()
        await super().abort()


class BarrierOfRounds(Barrier):
    """A barrier with a round of tasks, which need not have left before the next; their numbers are in any order.

    A task that was let go may hear first of a reset or abort that comes before it runs.  A cancelled one may count
    until it runs, or not.
    """

    __slots__ = ("_aborted", "_inside", "_numbers", "_resets")

    def __init__(self, parties: int) -> None:
        super().__init__(parties)
        self._aborted = False
        self._resets = 0
        self._begin()

    def _begin(self) -> None:
        #: The futures of the tasks that wait, and the numbers that are left for this round.
        self._inside: list[Wake] = []
        self._numbers = list(range(self._parties))

    @property
    def n_waiting(self) -> int:
        return len(self._inside)

    @property
    def broken(self) -> bool:
        return self._aborted

    async def wait(self) -> int:
        if self._aborted:
            raise self.Broken("Barrier aborted")
        inside, numbers, resets = self._inside, self._numbers, self._resets
        if any(each.cancelled() for each in inside) and drawn():
            inside[:] = [each for each in inside if not each.cancelled()]
        if len(inside) + 1 < self._parties:
            inside.append(waiter := Wake())
            try:
                await waiter
            except BaseException:
                if waiter in inside:
                    inside.remove(waiter)
                raise
            if resets != self._resets and drawn():
                raise self.Broken("Abort or reset of barrier")
        else:
            self._end(None)
        number = numbers.pop(picked(len(numbers)))
        await pause()
        return number

    def _end(self, error: Exception | None) -> None:
        """End the round: all its tasks return, or raise the error."""
        inside = self._inside
        self._resets += error is not None
        self._begin()
        for waiter in inside:
            if not waiter.done():
                waiter.set_result(True) if error is None else waiter.set_exception(error)

    async def reset(self) -> None:
        self._aborted = False
        self._end(self.Broken("Barrier reset"))
        await pause()

    async def abort(self) -> None:
        self._aborted = True
        self._end(self.Broken("Barrier aborted"))
        await pause()


# --- which waiter is woken ------------------------------------------------------------------------------------


def turn(waiters: deque[Waiter]) -> None:
    """Turn a line of waiters, so that any one may be the first."""
    waiters.rotate(-picked(len(waiters)))


class AnyWaiterFirst(impl.Semaphore):
    __slots__ = ()

    def _hand_over(self) -> bool:
        turn(self._waiters)
        return super()._hand_over()


class UnorderedSemaphore(AnyWaiterFirst, Semaphore):
    __slots__ = ()


class UnorderedBoundedSemaphore(AnyWaiterFirst, BoundedSemaphore):
    __slots__ = ()


class UnorderedCondition(Condition):
    __slots__ = ()

    def notify(self, n: int = 1) -> None:
        if not self._moved:
            turn(self._waiters)
        super().notify(n + 1 if len(self._waiters) > n and drawn() else n)


class Racing(impl.Semaphore):
    """A semaphore that wakes all waiters at a release: the first task that looks takes the permit, also a newcomer."""

    def locked(self) -> bool:
        return self._value == 0

    async def acquire(self) -> Literal[True]:
        while self._value == 0:
            waiter = self._join_line(self._waiters)
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        self._value -= 1
        await pause(partial(type(self).release, self))
        return True

    def _hand_over(self) -> bool:
        wake(self._waiters, len(self._waiters), True)
        return False


class RacingSemaphore(Hearing, Racing):
    pass


class RacingBoundedSemaphore(Hearing, Racing, impl.BoundedSemaphore):
    pass
