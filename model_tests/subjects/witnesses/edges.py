"""Witnesses of wrong answers to arguments at the edge of what is allowed."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import Any

from ..witness import Thing, ended, shows
from ..wrong import edges as wrong

# Any: what is made, asyncio's or a wrong one.


@shows((False, 2), wrong.NegativeSizeIsFull)
async def negative_maxsize(queue_class: Thing) -> Any:
    queue = queue_class(-1)
    queue.put_nowait(1)
    queue.put_nowait(2)
    return queue.full(), queue.qsize()


@shows(True, wrong.ZeroPermitsAreOne)
async def no_permits(semaphore_class: Thing) -> Any:
    return semaphore_class(0).locked()


@shows("raises ValueError", wrong.NegativePermits)
async def negative_permits(semaphore_class: Thing) -> Any:
    return semaphore_class(-1).locked()


@shows(True, wrong.OwnLockOnly)
async def lock_of_a_condition(condition_class: Thing) -> Any:
    lock = asyncio.Lock()
    async with condition_class(lock):
        return lock.locked()


@shows("raises ValueError", wrong.NoPartiesIsOne)
async def no_parties(barrier_class: Thing) -> Any:
    return barrier_class(0).parties


@shows("TimeoutError", wrong.ZeroIsNever)
async def a_deadline_that_has_passed(timeout_class: Thing) -> Any:
    async def main() -> Any:
        async with timeout_class(asyncio.get_running_loop().time() - 1):
            return await asyncio.sleep(1, "slept")

    return await ended(asyncio.ensure_future(main()))


@shows([], wrong.gather_of_nothing_waits)
async def gather_nothing(gather: Thing) -> Any:
    return await gather()


@shows("ValueError", wrong.wait_for_nothing)
async def wait_for_no_futures(wait: Thing) -> Any:
    return await ended(wait([]))


@shows((0, 1), wrong.wait_zero_is_for_ever)
async def wait_no_time(wait: Thing) -> Any:
    done, pending = await wait([asyncio.get_running_loop().create_future()], timeout=0)
    return len(done), len(pending)


@shows("TypeError", wrong.wait_takes_coroutines)
async def wait_for_a_coroutine(wait: Thing) -> Any:
    coro = asyncio.sleep(0)
    try:
        return await ended(wait([coro]))
    finally:
        coro.close()


@shows("ValueError", wrong.wait_takes_any_condition)
async def unknown_return_when(wait: Thing) -> Any:
    return await ended(wait([asyncio.ensure_future(asyncio.sleep(0))], return_when="SOME_COMPLETED"))


@shows(["TimeoutError", "TimeoutError"], wrong.wait_for_zero_is_for_ever)
async def wait_for_no_time(wait_for: Thing) -> Any:
    return [await ended(wait_for(asyncio.sleep(1, "slept"), timeout)) for timeout in (0, -1)]


@shows("slept", wrong.wait_for_none_is_zero)
async def wait_for_ever(wait_for: Thing) -> Any:
    return await ended(wait_for(asyncio.sleep(1, "slept"), None))


@shows("result", wrong.wait_for_negative_fails)
async def no_time_for_a_done_future(wait_for: Thing) -> Any:
    future = asyncio.get_running_loop().create_future()
    future.set_result("result")
    return await ended(wait_for(future, -1))


@shows("result", wrong.sleep_negative_fails)
async def negative_sleep(sleep: Thing) -> Any:
    return await ended(sleep(-1, "result"))


@shows("result", wrong.ensure_future_of_coroutines)
async def an_awaitable_object(ensure_future: Thing) -> Any:
    class Ready:
        """An awaitable that is neither a coroutine nor a future."""

        def __await__(self) -> Generator[None, None, str]:
            yield
            return "result"

    return await ensure_future(Ready())
