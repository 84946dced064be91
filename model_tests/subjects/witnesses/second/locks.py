"""Witnesses of the second set of wrong locks, semaphores, events, conditions and barriers."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, settle, shows, state
from ...wrong.second import locks as wrong


@shows(["done", False], wrong.LockIsOwnedByItsTask)
async def _release_in_another_task(thing: Thing) -> list[Any]:
    lock = thing()
    await lock.acquire()

    async def other() -> str:
        lock.release()
        return "done"

    return [await ended(asyncio.create_task(other())), lock.locked()]


@shows([True, "pending"], wrong.SemaphoreTakesZeroForOne)
async def _semaphore_of_zero(thing: Thing) -> list[Any]:
    semaphore = thing(0)
    return [semaphore.locked(), await state(asyncio.create_task(semaphore.acquire()))]


@shows([True, True], wrong.SemaphoreWakesOnlyFromZero)
async def _two_releases_in_one_turn(thing: Thing) -> list[Any]:
    semaphore = thing(0)
    waiters = [asyncio.create_task(semaphore.acquire()) for _ in range(2)]
    await settle()
    semaphore.release()
    semaphore.release()
    return [await state(waiter) for waiter in waiters]


@shows(True, wrong.EventMissesAShortSet)
async def _set_and_clear(thing: Thing) -> Any:
    event = thing()
    waiter = asyncio.create_task(event.wait())
    await settle()
    event.set()
    event.clear()
    return await state(waiter)


@shows([True, True], wrong.ConditionNotifiesTheSameTwice)
async def _notify_twice(thing: Thing) -> list[Any]:
    condition = thing()

    async def wait() -> bool:
        async with condition:
            return bool(await condition.wait())

    waiters = [asyncio.create_task(wait()) for _ in range(2)]
    await settle()
    async with condition:
        condition.notify()
        condition.notify()
    return [await state(waiter) for waiter in waiters]


@shows([0, "pending"], wrong.BarrierLetsTheNextRoundIn)
async def _come_back_at_once(thing: Thing) -> list[Any]:
    barrier = thing(2)

    async def twice() -> int:
        await barrier.wait()
        return int(await barrier.wait())

    first = asyncio.create_task(barrier.wait())
    await settle()
    second = asyncio.create_task(twice())
    return [await state(first), await state(second)]
