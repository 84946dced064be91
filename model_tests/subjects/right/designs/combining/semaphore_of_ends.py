"""wait by a semaphore that each end releases, looked at anew after each acquire, all under asyncio.timeout.

The documentation says when wait() returns and what, but not how it counts the ends or keeps the time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any, TypeVar

F = TypeVar("F", bound="asyncio.Future[Any]")


def _failed(future: asyncio.Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is not None


def _enough(futures: set[F], return_when: str) -> bool:
    if return_when == asyncio.FIRST_COMPLETED and any(future.done() for future in futures):
        return True
    if return_when == asyncio.FIRST_EXCEPTION and any(_failed(future) for future in futures):
        return True
    return all(future.done() for future in futures)


async def wait(
    aws: Iterable[F], *, timeout: float | None = None, return_when: str = asyncio.ALL_COMPLETED
) -> tuple[set[F], set[F]]:
    if asyncio.isfuture(aws) or asyncio.iscoroutine(aws):
        raise TypeError(f"expected an iterable of futures, not {type(aws).__name__}")
    futures = set(aws)
    if not futures:
        raise ValueError("the iterable of futures is empty")
    if return_when not in (asyncio.FIRST_COMPLETED, asyncio.FIRST_EXCEPTION, asyncio.ALL_COMPLETED):
        raise ValueError(f"invalid return_when value: {return_when}")
    if any(asyncio.iscoroutine(future) for future in futures):
        raise TypeError("passing coroutines is forbidden, use tasks explicitly")
    ends = asyncio.Semaphore(0)

    def ended(_: asyncio.Future[Any]) -> None:
        ends.release()

    for future in futures:
        future.add_done_callback(ended)
    try:
        async with asyncio.timeout(timeout):
            while not _enough(futures, return_when):
                await ends.acquire()
    except TimeoutError:
        pass
    finally:
        for future in futures:
            future.remove_done_callback(ended)
    done = {future for future in futures if future.done()}
    return done, futures - done
