"""Witnesses of wrong locks, semaphores, conditions and barriers."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, ended, outcome, settle, shows, state
from ..wrong import conditions
from ..wrong.second import locks as second
from ..wrong.third import edges

# Any: a primitive, asyncio's or a wrong one, and what its methods return.


@shows(["done", False], second.LockIsOwnedByItsTask)
async def release_in_another_task(lock_class: Thing) -> list[Any]:
    lock = lock_class()
    await lock.acquire()

    async def other() -> str:
        lock.release()
        return "done"

    return [await ended(asyncio.create_task(other())), lock.locked()]


@shows("ValueError", edges.BoundedSemaphoreOfZeroHasNoBound)
async def release_above_zero(semaphore_class: Thing) -> Any:
    try:
        return semaphore_class(0).release()
    except ValueError:
        return "ValueError"


async def waiters(condition: Any, number: int) -> list[asyncio.Task[Any]]:
    """Start tasks that wait for the condition."""

    async def wait() -> Any:
        async with condition:
            return await condition.wait()

    tasks = [asyncio.ensure_future(wait()) for _ in range(number)]
    await settle()
    return tasks


@shows([True, True, True], conditions.NotifiesAllButTheLast)
async def notify_all_wakes_all(condition_class: Thing) -> Any:
    condition = condition_class()
    tasks = await waiters(condition, 3)
    async with condition:
        condition.notify_all()
    return [await state(task) for task in tasks]


@shows(
    [True, True, "pending"],
    conditions.NotifiesTheWoken,
)
async def notify_twice(condition_class: Thing) -> Any:
    condition = condition_class()
    tasks = await waiters(condition, 3)
    async with condition:
        condition.notify()
        condition.notify()
    return [await state(task) for task in tasks]


@shows([1, 0, 2], edges.ConditionThatTakesZeroForOne)
async def notify_none(condition_class: Thing) -> Any:
    woken = []
    for n in ((), (0,), (2,)):
        condition = condition_class()
        tasks = await waiters(condition, 2)
        async with condition:
            condition.notify(*n)
        woken.append([await state(task) for task in tasks].count(True))
    return woken


@shows(["pending", "cancelled"], conditions.SwallowsCancels)
async def a_cancel_during_the_way_back(condition_class: Thing) -> Any:
    condition = condition_class()
    (task,) = await waiters(condition, 1)
    await condition.acquire()
    condition.notify()
    await settle()
    task.cancel()
    await settle()
    seen = [outcome(task)]
    if condition.locked():
        condition.release()
    return [*seen, await state(task)]


@shows(
    [0, "pending"],
    second.BarrierLetsTheNextRoundIn,
)
async def come_back_at_once(barrier_class: Thing) -> Any:
    barrier = barrier_class(2)

    async def twice() -> Any:
        await barrier.wait()
        return await barrier.wait()

    slow = asyncio.create_task(barrier.wait())
    await settle()
    fast = asyncio.create_task(twice())
    return [await state(slow), await state(fast)]
