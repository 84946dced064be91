"""Witnesses of the second set of wrong functions and classes that wait for others."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows, state
from ...wrong.second import waits as wrong


class _Item:
    """A result that can be referred to weakly."""


@shows("pending", wrong.wait_counts_a_cancelled_task_as_error)
async def _wait_for_the_first_error(thing: Thing) -> Any:
    loop = asyncio.get_running_loop()
    futures = [loop.create_future(), loop.create_future()]
    waiter = asyncio.create_task(thing(futures, return_when=asyncio.FIRST_EXCEPTION))
    await settle()
    futures[0].cancel()
    return await state(waiter)


@shows(0, wrong.wait_leaves_its_callbacks)
async def _callbacks_after_waits(thing: Thing) -> int:
    future: Any = asyncio.get_running_loop().create_future()
    for _ in range(3):
        await thing([future], timeout=1)
    return len(future._callbacks or [])


@shows("result", wrong.wait_for_has_no_time_for_a_done_future)
async def _wait_for_a_done_future(thing: Thing) -> Any:
    future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    future.set_result("result")
    return await thing(future, 0)


@shows(["cancelled", "cancelled"], wrong.wait_for_leaves_the_task_when_it_is_cancelled)
async def _cancel_the_wait(thing: Thing) -> list[Any]:
    future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    waiter = asyncio.create_task(thing(future, 10))
    await settle()
    waiter.cancel()
    return [await state(waiter), outcome(future)]


@shows("cancelled", wrong.shield_waits_on_for_a_cancelled_task)
async def _cancel_what_is_shielded(thing: Thing) -> Any:
    inner: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def wait() -> None:
        await thing(inner)

    waiter = asyncio.create_task(wait())
    await settle()
    inner.cancel()
    return await state(waiter)


@shows(["TimeoutError", "TimeoutError"], wrong.as_completed_times_out_once)
async def _two_are_overdue(thing: Thing) -> list[Any]:
    futures = [asyncio.get_running_loop().create_future() for _ in range(2)]
    return [await ended(following) for following in thing(futures, timeout=1)]


@shows(True, wrong.sleep_keeps_its_timer)
async def _result_of_a_cancelled_sleep_is_freed(thing: Thing) -> bool:
    item = _Item()
    freed = weakref.ref(item)
    sleeper = asyncio.create_task(thing(3600, item))
    await settle()
    sleeper.cancel()
    await settle()
    del item, sleeper
    gc.collect()
    return freed() is None


@shows("cancelled", wrong.TimeoutTakesAForeignCancellation)
async def _cancel_at_the_deadline(thing: Thing) -> Any:
    loop = asyncio.get_running_loop()

    async def sleep() -> None:
        async with thing(loop.time() + 1):
            await asyncio.sleep(10)

    sleeper = asyncio.create_task(sleep())
    loop.call_at(loop.time() + 1, sleeper.cancel)
    await asyncio.sleep(2)
    return outcome(sleeper)


@shows("TimeoutError", wrong.timeout_of_zero_is_no_limit)
async def _timeout_of_zero(thing: Thing) -> Any:
    async def sleep() -> str:
        async with thing(0):
            await asyncio.sleep(10)
        return "slept"

    return await ended(sleep())


@shows(["cancelled", "slept"], wrong.TaskGroupEndsWithACancelledTask)
async def _cancel_a_task_of_the_group(thing: Thing) -> list[Any]:
    async with thing() as group:
        first = group.create_task(asyncio.sleep(1))
        second = group.create_task(asyncio.sleep(2, "slept"))
        await settle()
        first.cancel()
    return [outcome(first), outcome(second)]


@shows(["RuntimeError"], wrong.TaskGroupAdmitsTasksAfterAFailure)
async def _add_a_task_after_a_failure(thing: Thing) -> list[str]:
    seen: list[str] = []

    async def fail() -> None:
        raise LookupError

    async def added() -> None:
        seen.append("ran")

    async def add(group: Any) -> None:
        try:
            await asyncio.sleep(10)
        finally:
            late = added()
            try:
                group.create_task(late)
            except RuntimeError:
                seen.append("RuntimeError")
            finally:
                if seen:
                    late.close()

    try:
        async with thing() as group:
            group.create_task(add(group))
            await settle()
            group.create_task(fail())
    except ExceptionGroup:
        pass
    return seen
