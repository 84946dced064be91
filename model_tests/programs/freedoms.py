"""The reference with the freedoms that the documentation leaves to an implementation, drawn as choices of a run.

The documentation of CPython 3.13 says which task gets a lock, an item or a notification, and in which order tasks get
them.  It does not say how many iterations of the loop that takes.  So a right implementation may suspend once more than
asyncio's, or give a lock or an item to a waiter at once, where asyncio wakes the waiter and lets it take them.  The
classes here may do either, as the lane `program` of the loop's choices says; under all zeros they are impl's.

-   Lock: "When the lock is locked, this method waits until the lock is unlocked, sets it to locked and returns True";
    "only one coroutine proceeds", nothing on whether the lock looks unlocked meanwhile (Synchronization Primitives).
-   Queue: "Remove and return an item from the queue.  If queue is empty, wait until an item is available" (Queues):
    nothing on whether an item counts in `qsize` while the getter it was put for is on its way.
-   Semaphore, Condition: "Can wake up a task waiting to acquire the semaphore", "Wake up n tasks": nothing on which,
    where "Acquiring a lock is fair" says it of a lock; and "a task may return from this call spuriously"
    (Condition.wait).  CPython's tests do say more, so this is free only among the rules that are documented.
-   All: nothing on whether a call that need not wait gives other tasks a turn.

What no sentence covers at all is `unspecified`: a release, by another task, of what was given to a waiter that has yet
to run.

`allowed.py` searches them, under order `any` (impl/sim/order.py), which has every order of the ready tasks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final, Literal, TypeVar

import impl
from impl.interfaces import Waiter
from impl.sync.waiters import woken

T = TypeVar("T")


def drawn() -> bool:
    """Whether the implementation uses a freedom here."""
    choices = impl.get_running_loop().choices
    return choices is not None and bool(choices.program(2))


async def pause(give_back: Callable[[], object] = lambda: None) -> None:
    """Give the other tasks a turn, or not; a cancel meanwhile gives back what the call has taken."""
    if drawn():
        try:
            await impl.sleep(0)
        except BaseException:
            give_back()
            raise


def unspecified() -> None:
    """Say that no sentence covers what the program does here: all that follows is right."""
    getattr(impl.get_running_loop(), "unspecified", bool)()


class Calls:
    """The calls of one object, which may look at it a turn later, all or none; they look in the order of the calls."""

    __slots__ = ("_last", "late")

    def __init__(self) -> None:
        self.late: bool | None = None  #: None: no call was made
        #: Of the last call: it is done when the call looks at the object.
        self._last: Waiter | None = None

    async def enter(self) -> bool:
        """Give the other tasks a turn, or not; return, in the order of the calls, whether it was given."""
        if self.late is None:
            self.late = drawn()
        if not self.late:
            return False
        before, mine = self._last, impl.get_running_loop().create_future()
        self._last = mine
        try:
            await impl.sleep(0)
            if before is not None and not before.done():
                await impl.shield(before)
        finally:
            mine.set_result(None)
        return True


class Lock(impl.Lock):
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


class Semaphore(impl.Semaphore):  # without __slots__, so that BoundedSemaphore can have it as a base
    """A semaphore that counts a permit as taken when it is given to a waiter, before the waiter runs.

    A waiter that was cancelled is in line until it runs; it gives the permit back then.
    """

    def __init__(self, value: int = 1) -> None:
        super().__init__(value)
        self._calls = Calls()
        #: The cancelled waiters that a permit was given to.
        self._given: list[Waiter] = []

    def locked(self) -> bool:
        return super().locked() and not (
            self._value > 0 and all(waiter.done() for waiter in self._waiters) and drawn()
        )

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


class Event(impl.Event):
    __slots__ = ()

    async def wait(self) -> Literal[True]:
        await super().wait()
        await pause()
        return True


class Condition(impl.Condition):
    """A condition whose `notify` may put the waiters into the line of the lock at once."""

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
            if woken(waiter) or waiter in self._moved:
                self.notify()
            raise
        await pause()
        return True

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
        if not self.locked() or not isinstance(lock, Lock) or not self._waiters or not drawn():
            super().notify(n)
            return
        waiting = [waiter for waiter in self._waiters if not waiter.done() and waiter not in self._moved]
        lock._waiters.extend(waiting[:n])
        self._moved.extend(waiting[:n])


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


class Queue(impl.Queue[T]):
    """A queue whose `put_nowait` may give the item to the getter that has waited longest.

    A late getter leaves the items to the getters that were woken for them.
    """

    __slots__ = ("_calls", "_given", "_parked")

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        #: The items that are on their way, by the getters that they were given to.
        self._given: dict[Waiter, T] = {}
        #: The futures of the getters that wait, woken or not.
        self._parked: list[Waiter] = []
        self._calls = Calls()

    def put_nowait(self, item: T) -> None:
        while self._getters and self._getters[0].done():
            self._getters.popleft()
        if not self._getters or self._items or self._shut or not drawn():
            super().put_nowait(item)
            return
        getter = self._getters.popleft()
        self._given[getter] = item
        self._unfinished += 1
        getter.set_result(None)

    async def get(self) -> T:
        await self._calls.enter()
        while self._must_wait():
            waiter = self._join_line(self._getters)
            self._parked.append(waiter)
            try:
                try:
                    await waiter
                finally:
                    self._parked.remove(waiter)
            except BaseException:
                if self._leave_line(self._getters, waiter):
                    if waiter in self._given:
                        self._put_back(self._given.pop(waiter))
                    elif self._items:
                        self._wake(self._getters)
                raise
            if waiter in self._given:
                item = self._given.pop(waiter)
                await pause(partial(self._put_back, item))
                return item
        item = self.get_nowait()
        await pause(partial(self._put_back, item))
        return item

    def _must_wait(self) -> bool:
        """Return whether a getter finds nothing."""
        promised = (
            sum(woken(each) and each not in self._given for each in self._parked) if self._calls.late else 0
        )
        return len(self._items) <= promised and not self._shut

    def _put_back(self, item: T) -> None:
        """The item is the next again; the next getter gets it."""
        if isinstance(self._items, deque):
            self._items.appendleft(item)
        else:
            self._add(item)
        self._wake(self._getters)

    async def put(self, item: T) -> None:
        await self._calls.enter()
        await super().put(item)
        await pause()

    async def join(self) -> None:
        await super().join()
        await pause()


class LifoQueue(Queue[T], impl.LifoQueue[T]):
    __slots__ = ()


class PriorityQueue(Queue[T], impl.PriorityQueue[T]):
    __slots__ = ()


# --- which waiter is woken ------------------------------------------------------------------------------------


def turn(waiters: deque[Waiter]) -> None:
    """Turn a line of waiters, so that any one may be the first."""
    choices = impl.get_running_loop().choices
    if choices is not None and len(waiters) > 1:
        waiters.rotate(-choices.program(len(waiters)))


class Unordered(impl.Semaphore):
    __slots__ = ()

    def _hand_over(self) -> bool:
        turn(self._waiters)
        return super()._hand_over()


class UnorderedSemaphore(Unordered, Semaphore):
    __slots__ = ()


class UnorderedBoundedSemaphore(Unordered, BoundedSemaphore):
    __slots__ = ()


class UnorderedCondition(Condition):
    __slots__ = ()

    def notify(self, n: int = 1) -> None:
        if not self._moved:
            turn(self._waiters)
        super().notify(n + 1 if len(self._waiters) > n and drawn() else n)


#: By asyncio's name.
FREE: Final = {
    free.__name__: free
    for free in (
        Lock,
        Semaphore,
        BoundedSemaphore,
        Event,
        Condition,
        Barrier,
        Queue,
        LifoQueue,
        PriorityQueue,
    )
}
UNORDERED: Final = {
    "Semaphore": UnorderedSemaphore,
    "BoundedSemaphore": UnorderedBoundedSemaphore,
    "Condition": UnorderedCondition,
}
#: Names whose right code may be built upon these.
BUILT_ON: Final = {"Condition": ("Lock",), "Barrier": ("Condition", "Lock")}


# Any: a class or a function.
def with_freedoms(
    brings: Collection[str], unordered: bool = False, differs: Mapping[str, Any] = MappingProxyType({})
) -> SimpleNamespace:
    """Return impl's names, with the freedoms of the names that a subject brings.

    With `unordered`, a semaphore or condition may wake any of its waiters.  `differs` has classes of a profile, which
    derive from impl's; they are the first bases of the classes with freedoms,
    which have the others in `mixed`.
    """
    names = {name: getattr(impl, name) for name in impl.__all__}
    for name, free in FREE.items():
        if name in brings or any(base in brings for base in BUILT_ON.get(name, ())):
            names[name] = UNORDERED.get(name, free) if unordered else free
    if "Barrier" not in brings and names["Barrier"] is Barrier:
        names["Barrier"] = BarrierOnLock
    mixed: dict[str, Any] = {}
    for name in [name for name in FREE if name in differs]:
        mixed[name] = type(name, (differs[name], FREE[name]), {"mixed": mixed})
        if name in brings:
            names[name] = mixed[name]
    return SimpleNamespace(**names)
