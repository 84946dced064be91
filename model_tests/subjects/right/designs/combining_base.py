"""What the designs of wait, gather and as_completed share: the looks at their arguments, and an iterator of ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
from typing import Any, Final

# Any: results of awaitables.
Child = asyncio.Future[Any]
KINDS: Final = (asyncio.ALL_COMPLETED, asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION)


def futures_of(fs: Iterable[Child], return_when: str) -> set[Child]:
    """Return the futures that wait() was given, or raise as it does."""
    if asyncio.isfuture(fs) or isinstance(fs, Coroutine):
        raise TypeError("an iterable of futures is needed, not one of them")
    futures = set(fs)
    if any(isinstance(one, Coroutine) for one in futures):
        raise TypeError("coroutines are not allowed, make tasks of them")
    if not futures or return_when not in KINDS:
        raise ValueError("no futures are given, or return_when is unknown")
    return futures


def failed(future: Child) -> bool:
    """Return whether the future is done and has an exception."""
    return future.done() and not future.cancelled() and future.exception() is not None


def enough(futures: set[Child], return_when: str) -> bool:
    """Return whether wait() has nothing to wait for any more."""
    if return_when == asyncio.FIRST_COMPLETED:
        return any(one.done() for one in futures)
    if return_when == asyncio.FIRST_EXCEPTION and any(map(failed, futures)):
        return True
    return all(one.done() for one in futures)


def outcome(child: Child) -> Any:
    """Return the result of a future, or its exception."""
    try:
        return child.result()
    except BaseException as error:
        return error


def children_of(awaitables: Iterable[Any]) -> list[Child]:
    """Return the future of each argument of gather(); equal arguments have the same one."""
    made: dict[int, Child] = {}
    children = []
    for one in awaitables:
        if id(one) not in made:
            made[id(one)] = asyncio.ensure_future(one)
        children.append(made[id(one)])
    return children


class EndsBase(Iterator[Coroutine[Any, Any, Any]], AsyncIterator[Child]):
    """The iterator of as_completed() with so many steps; `_next_end` returns the future of the next step."""

    def __init__(self, steps: int) -> None:
        self._steps, self._step = steps, 0

    async def _next_end(self, step: int) -> Child:
        raise NotImplementedError

    async def _result(self, step: int) -> Any:
        return (await self._next_end(step)).result()

    def __next__(self) -> Coroutine[Any, Any, Any]:
        if self._step == self._steps:
            raise StopIteration
        self._step += 1
        return self._result(self._step - 1)

    async def __anext__(self) -> Child:
        if self._step == self._steps:
            raise StopAsyncIteration
        future = await self._next_end(self._step)
        self._step += 1
        return future
