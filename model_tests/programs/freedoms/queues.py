"""Queues with the freedoms of an implementation."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TypeVar

import impl
from impl.interfaces import Waiter
from impl.sync.waiters import woken

from .drawn import Calls, drawn, pause

T = TypeVar("T")


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
