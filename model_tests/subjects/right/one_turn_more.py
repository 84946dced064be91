"""Primitives with coroutines that give up one turn of the loop more than CPython's before they return.

Difference: a coroutine of CPython that does not have to wait returns in the same step, and one that was woken returns
in its next step.  Here either takes one `sleep(0)` more.

Freedom: the documentation names the condition to wait for, never the number of iterations until a coroutine
returns: "This method waits until the lock is unlocked, sets it to locked and returns True" (Lock.acquire), "Remove and
return an item from the queue" (Queue.get).  "Return True immediately" (Semaphore.acquire, Event.wait) is the opposite
of "wait until a release() is called" and of "block until another task calls set()": no other task has to do anything.

A cancel may come at the additional turn.  A lock or a permit that was taken is then given back, and a notification is
passed on; a queue gives up the turn before it takes or adds an item, so nothing is lost there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Literal, TypeVar

from .conditions import SpuriousCondition

T = TypeVar("T")


async def turn_or(undo: Callable[[], None]) -> None:
    """Give up one turn; call `undo` if the task is cancelled there."""
    try:
        await asyncio.sleep(0)
    except BaseException:
        undo()
        raise


class OneTurnMore:
    """A base before a class of asyncio that is acquired."""

    release: Callable[[], None]

    async def acquire(self) -> Literal[True]:
        asyncios: Any = super()
        await asyncios.acquire()
        await turn_or(self.release)
        return True


class Lock(OneTurnMore, asyncio.Lock):
    """Acquired one turn later."""


class Semaphore(OneTurnMore, asyncio.Semaphore):
    """Acquired one turn later."""


class BoundedSemaphore(OneTurnMore, asyncio.BoundedSemaphore):
    """Acquired one turn later."""


class Event(asyncio.Event):
    async def wait(self) -> Literal[True]:
        await super().wait()
        await asyncio.sleep(0)
        return True


class Queue(asyncio.Queue[T]):
    async def get(self) -> T:
        await asyncio.sleep(0)
        return await super().get()

    async def put(self, item: T) -> None:
        await asyncio.sleep(0)
        await super().put(item)

    async def join(self) -> None:
        await super().join()
        await asyncio.sleep(0)


class Condition(SpuriousCondition):
    """A cancel at the additional turn finds the lock held, and passes the notification on."""

    async def _afterwards(self) -> None:
        await asyncio.sleep(0)
