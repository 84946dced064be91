"""Witnesses of the wrong locks, semaphores, events, conditions and barriers."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, settle, shows, state
from ...wrong.third import locks as wrong


@shows(True, wrong.LockLosesAReleaseToACancelledWaiter)
async def _release_just_after_the_first_waiter_is_cancelled(thing: Thing) -> Any:
    lock = thing()
    await lock.acquire()
    first, second = asyncio.create_task(lock.acquire()), asyncio.create_task(lock.acquire())
    await settle()
    first.cancel()
    lock.release()
    return await state(second)


@shows(["waiter in", "waiter out", "late in", "late out"], wrong.LockLetsALateComerInBesideTheWokenWaiter)
async def _acquire_just_after_a_release(thing: Thing) -> Any:
    lock, log = thing(), []

    async def inside(name: str) -> None:
        async with lock:
            log.append(f"{name} in")
            await settle(3)
            log.append(f"{name} out")

    await lock.acquire()
    waiter = asyncio.create_task(inside("waiter"))
    await settle()
    lock.release()
    await ended(inside("late"))
    await ended(waiter)
    return log


@shows([True, False], wrong.SemaphoreStrandsTheSlotOfACancelledWaiter)
async def _cancel_the_waiter_that_was_woken(thing: Thing) -> Any:
    semaphore = thing(1)
    await semaphore.acquire()
    first, second = asyncio.create_task(semaphore.acquire()), asyncio.create_task(semaphore.acquire())
    await settle()
    semaphore.release()
    first.cancel()
    outcome = await state(second)
    semaphore.release()
    return [outcome, semaphore.locked()]


@shows(True, wrong.EventStumblesOverACancelledWaiter)
async def _set_just_after_a_waiter_is_cancelled(thing: Thing) -> Any:
    event = thing()
    first, second = asyncio.create_task(event.wait()), asyncio.create_task(event.wait())
    await settle()
    first.cancel()
    event.set()
    return await state(second)


async def _wait_within(condition: Any) -> Any:
    async with condition:
        return await condition.wait()


@shows([True, True], wrong.ConditionNotifiesTheSameWaiterAgain)
async def _notify_twice_under_one_lock(thing: Thing) -> Any:
    condition = thing()
    waiters = [asyncio.create_task(_wait_within(condition)) for _ in range(2)]
    await settle()
    async with condition:
        condition.notify()
        condition.notify()
    return [await state(waiter) for waiter in waiters]


@shows([0, "pending"], wrong.BarrierLetsAFastTaskRoundAgain)
async def _pass_a_barrier_and_come_again_at_once(thing: Thing) -> Any:
    barrier = thing(2)

    async def twice() -> Any:
        await barrier.wait()
        return await barrier.wait()

    slow = asyncio.create_task(barrier.wait())
    await settle()
    fast = asyncio.create_task(twice())
    return [await state(slow), await state(fast)]
