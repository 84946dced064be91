"""An Event and a Condition on a plain list of futures; a notification wakes all waiters, and most wait again.

Difference: there is no deque.  Condition.notify marks the waiters that are meant and wakes all; a waiter that is not
marked waits on a new future, without taking the lock, and keeps its place.  Event.set replaces the list.

Freedom: "Wake up n tasks (1 by default) waiting on this condition" (Condition.notify): the coroutine
`wait` of any other task does not return.  "All tasks waiting for event to be set will be immediately awakened"
(Event.set) names no order and no data structure.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from .conditions import ConditionWaiter, SpuriousCondition


def resolve(future: asyncio.Future[None]) -> None:
    """Wake the task that waits for the future, unless it was cancelled."""
    if not future.done():
        future.set_result(None)


class Event:
    def __init__(self) -> None:
        self._set = False
        self._futures: list[asyncio.Future[None]] = []

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        self._set = True
        futures, self._futures = self._futures, []
        for future in futures:
            resolve(future)

    def clear(self) -> None:
        self._set = False

    async def wait(self) -> Literal[True]:
        if not self._set:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._futures.append(future)
            try:
                await future
            finally:
                if future in self._futures:
                    self._futures.remove(future)
        return True


class Condition(SpuriousCondition):
    def woken(self, waiters: list[ConditionWaiter]) -> list[ConditionWaiter]:
        return waiters
