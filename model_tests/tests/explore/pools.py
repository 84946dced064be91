"""Connection pools for the specification of the corpus, right and wrong ones."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from ...fuzz.specifications.corpus import items
from ...refinement.machines.outcomes import CANCELLED, Raised, answer, outcome_of, raised
from ..refinement.gate import module

# Any in this file: what the specification of the corpus defines, and outcomes of calls.

POOL = module("own_pool", next(item.text for item in items() if item.name == "pool"))
Waiter = asyncio.Future[None]


class PoolClosed(Exception):
    pass


class Pool:
    """Connections; a task that is cancelled after it was woken hands its connection on."""

    def __init__(self, limit: int) -> None:
        self.free = self.limit = limit
        self.closed, self.back = False, asyncio.Event()
        self.waiters: deque[Waiter] = deque()

    async def acquire(self) -> Any:
        if self.closed:
            raise PoolClosed
        if self.free > 0:
            self.free -= 1
            return
        self.waiters.append(waiter := asyncio.get_running_loop().create_future())
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                self.release()
            elif waiter in self.waiters:
                self.waiters.remove(waiter)
            raise

    def release(self) -> None:
        while self.waiters:
            if not (waiter := self.waiters.popleft()).done():
                return waiter.set_result(None)
        self.free += 1
        return self.check()

    def close(self) -> None:
        self.closed = True
        while self.waiters:
            if not (waiter := self.waiters.popleft()).done():
                self.refuse(waiter)
        self.check()

    def refuse(self, waiter: Waiter) -> None:
        waiter.set_exception(PoolClosed())

    def check(self) -> None:
        if self.closed and self.free == self.limit:
            self.back.set()

    async def drained(self) -> None:
        await self.back.wait()


class Thorough(Pool):
    """It takes the request back while it cleans up, and raises the error nevertheless."""

    async def acquire(self) -> Any:
        try:
            await super().acquire()
        except asyncio.CancelledError:
            current().uncancel()
            await asyncio.sleep(0)
            raise


class Cancels(Pool):
    def refuse(self, waiter: Waiter) -> None:
        waiter.cancel()


class RaisesCancelled(Pool):
    def refuse(self, waiter: Waiter) -> None:
        waiter.set_exception(asyncio.CancelledError())


class Impatient(Pool):
    async def acquire(self) -> Any:
        if self.waiters:
            raise asyncio.CancelledError
        return await super().acquire()


class Says(list[int]):
    """A value without a hash that looks like a word."""

    def __repr__(self) -> str:
        return "done"


def returns(how: Callable[[Any], Any], owner: Any = Pool, method: str = "acquire") -> Any:
    """A class whose method returns what `how` makes of its outcome, and raises nothing."""
    right = getattr(owner, method)

    async def changed(self: Any, *args: Any) -> Any:
        return how(await outcome_of(right(self, *args), asyncio.CancelledError))

    return type("Returns", (owner,), {method: changed})


def error_of(outcome: Any) -> Any:
    return getattr(outcome, "error", outcome)


def member_of(outcome: Any) -> Any:
    return POOL.Said.CANCELLED if raised(outcome, *CANCELLED) else POOL.Said.CLOSED


def current() -> asyncio.Task[Any]:
    task = asyncio.current_task()
    assert task is not None
    return task


WRONG = [
    *(Cancels, RaisesCancelled, Impatient),
    *map(returns, (answer, error_of, member_of, lambda _: None, lambda _: "done", lambda _: Says())),
]


def helped(forgets: Callable[[Any], bool]) -> type[Pool]:
    """A pool with a helper task for each call, which it forgets after some outcomes."""

    class Helped(Pool):
        async def acquire(self) -> Any:
            helper = asyncio.create_task(self.drained())
            outcome = await outcome_of(super().acquire(), asyncio.CancelledError)
            if not forgets(outcome):
                helper.cancel()
            if isinstance(outcome, Raised):
                raise outcome.error

    return Helped
