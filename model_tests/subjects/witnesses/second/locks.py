"""Witnesses of the second set of wrong locks, semaphores, events, conditions and barriers."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

from ...witness import Thing, ended, settle, shows, state
from ...wrong.second import locks as wrong


@shows(["waiter", "newcomer"], wrong.LockIsOvertaken)
async def _release_and_acquire_again(thing: Thing) -> list[str]:
    lock = thing()
    order: list[str] = []

    async def take(name: str) -> None:
        async with lock:
            order.append(name)

    await lock.acquire()
    waiter = asyncio.create_task(take("waiter"))
    await settle()
    lock.release()
    await take("newcomer")
    await waiter
    return order


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


@shows([True, "pending"], wrong.SemaphoreCountsCancelledWaits)
async def _cancel_a_wait_for_a_permit(thing: Thing) -> list[Any]:
    semaphore = thing(1)
    await semaphore.acquire()
    waiter = asyncio.create_task(semaphore.acquire())
    await settle()
    waiter.cancel()
    await settle()
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


@shows(False, wrong.EventKeepsCancelledWaiters)
async def _futures_are_kept_after_cancelled_waits(thing: Thing) -> bool:
    event = thing()
    before = _futures()
    for _ in range(10):
        waiter = asyncio.create_task(event.wait())
        await settle(3)
        waiter.cancel()
        await settle(3)
    return _futures() - before >= 9


def _futures() -> int:
    gc.collect()
    return sum(type(thing) is asyncio.Future for thing in gc.get_objects())


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


@shows([0, "pending"], wrong.BarrierCountsCancelledTasks)
async def _cancel_a_task_in_the_barrier(thing: Thing) -> list[Any]:
    barrier = thing(2)
    waiter = asyncio.create_task(barrier.wait())
    await settle()
    waiter.cancel()
    await settle()
    return [barrier.n_waiting, await state(asyncio.create_task(barrier.wait()))]


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
