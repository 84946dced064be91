"""Queues with the freedoms of an implementation."""

from collections import deque
from functools import partial
from typing import TypeVar

import impl
from impl.interfaces import Waiter
from impl.sync.waiters import woken

from .draws import Calls, Hearing, drawn, pause
from .locks import turn

T = TypeVar("T")


class Queue(Hearing, impl.Queue[T]):
    """A queue where `put_nowait` may give the item to the getter that has waited longest.

    A late getter leaves the items to the getters that were woken for them.  One that was woken in vain may wait in
    front of the others again, as it has waited longest.  `get_nowait` frees a place, and may add the item of the putter
    that has waited longest.
    """

    __slots__ = ("_added", "_brought", "_calls", "_given", "_parked")

    def __init__(self, maxsize: int = 0) -> None:
        super().__init__(maxsize)
        #: The items that are on their way, by the getters that they were given to.
        self._given: dict[Waiter, T] = {}
        #: The futures of the getters that wait, woken or not.
        self._parked: list[Waiter] = []
        #: The items of the putters that wait; and the putters that had their item added by another call.
        self._brought: dict[Waiter, T] = {}
        self._added: list[Waiter] = []
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
        again = False
        while self._must_wait():
            waiter = self._join_line(self._getters)
            if again and drawn():
                self._getters.rotate()
            again = True
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
                if not self.full():
                    self._wake(self._putters)
                await pause(partial(self._put_back, item))
                return item
        item = Queue.get_nowait(self)
        await pause(partial(self._put_back, item))
        return item

    def _must_wait(self) -> bool:
        """Return whether a getter finds nothing."""
        return len(self._items) <= (self._promised() if self._calls.late else 0) and not self._shut

    def _promised(self) -> int:
        """Return how many items are for getters that were woken."""
        return sum(woken(each) and each not in self._given for each in self._parked)

    def _put_back(self, item: T) -> None:
        """The item is the next again; the next getter gets it."""
        if isinstance(self._items, deque):
            self._items.appendleft(item)
        else:
            self._add(item)
        self._wake(self._getters)

    def get_nowait(self) -> T:
        item = super().get_nowait()
        woken_now = [each for each in self._brought if woken(each) and each not in self._added]
        if woken_now and isinstance(self._items, deque) and not self._getters and not self._shut and drawn():
            self._added.append(woken_now[0])
            super().put_nowait(self._brought[woken_now[0]])
        return item

    async def put(self, item: T) -> None:
        await self._calls.enter()
        while self.full() and not self._shut:
            if await self._waits_to_put(item):
                break
        else:
            self.put_nowait(item)
        await pause()

    async def _waits_to_put(self, item: T) -> bool:
        """Wait until a putter may look again; return whether its item was added."""
        waiter = self._join_line(self._putters)
        self._brought[waiter] = item
        try:
            await waiter
        except BaseException:
            if waiter in self._added:
                self._items.remove(item)  # ValueError: it was received, so no right queue could have added it
                self.task_done()
            if self._leave_line(self._putters, waiter) and not self.full():
                self._wake(self._putters)
            raise
        finally:
            del self._brought[waiter]
        return waiter in self._added

    async def join(self) -> None:
        await super().join()
        await pause()


class UnorderedQueue(Queue[T]):
    """A queue that wakes any of its waiters; `get_nowait` may leave them the items that they are woken for.

    A join that was released may look again, and wait on if an item was put meanwhile.
    """

    __slots__ = ()

    def get_nowait(self) -> T:
        if 0 < len(self._items) <= self._promised() and not self._shut and drawn():
            raise impl.QueueEmpty
        return super().get_nowait()

    async def join(self) -> None:
        await super().join()
        while self._unfinished and drawn():
            await super().join()

    @staticmethod
    def _wake(line: deque[Waiter]) -> None:
        turn(line)
        impl.Queue._wake(line)


class LifoQueue(Queue[T], impl.LifoQueue[T]):
    __slots__ = ()


class PriorityQueue(Queue[T], impl.PriorityQueue[T]):
    __slots__ = ()


class UnorderedLifoQueue(UnorderedQueue[T], LifoQueue[T]):
    __slots__ = ()


class UnorderedPriorityQueue(UnorderedQueue[T], PriorityQueue[T]):
    __slots__ = ()
