"""Witnesses of wrong/fifth/locks.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, settle, shows, state
from ...wrong.fifth import locks as wrong


@shows(True, wrong.LockThatLosesACancelledTurn)
async def _cancel_the_first_of_two_waiters_at_release(thing: Thing) -> Any:
    lock = thing()
    await lock.acquire()
    first, second = asyncio.create_task(lock.acquire()), asyncio.create_task(lock.acquire())
    await settle()
    lock.release()
    first.cancel()
    return await state(second)


@shows(["waiter", "newcomer"], wrong.LockThatLetsNewcomersPass)
async def _acquire_again_at_once(thing: Thing) -> Any:
    lock = thing()
    order: list[str] = []

    async def enter(name: str) -> None:
        async with lock:
            order.append(name)

    await lock.acquire()
    waiter = asyncio.create_task(enter("waiter"))
    await settle()
    lock.release()
    await enter("newcomer")
    await waiter
    return order


@shows((None, False), wrong.LockWithAnOwner)
async def _release_in_another_task(thing: Thing) -> Any:
    lock = thing()
    await lock.acquire()

    async def release() -> None:
        lock.release()

    return await state(asyncio.create_task(release())), lock.locked()


@shows(True, wrong.SemaphoreThatLosesACancelledTurn)
async def _acquire_after_a_cancelled_turn(thing: Thing) -> Any:
    semaphore = thing(1)
    await semaphore.acquire()
    waiter = asyncio.create_task(semaphore.acquire())
    await settle()
    semaphore.release()
    waiter.cancel()
    await settle()
    return await state(asyncio.create_task(semaphore.acquire()))


@shows(1, wrong.SemaphoreThatCountsAfterTheWait)
async def _count_the_tasks_within(thing: Thing) -> Any:
    semaphore = thing(1)
    inside: set[str] = set()
    counts: list[int] = []

    async def enter(name: str) -> None:
        async with semaphore:
            inside.add(name)
            counts.append(len(inside))
            await asyncio.sleep(1)
            inside.remove(name)

    await semaphore.acquire()
    waiter = asyncio.create_task(enter("waiter"))
    await settle()
    semaphore.release()
    await enter("newcomer")
    await waiter
    return max(counts)


@shows((True, "ValueError", "pending"), wrong.BoundedSemaphoreThatCountsWhatItRefuses)
async def _acquire_twice_after_a_refused_release(thing: Thing) -> Any:
    semaphore = thing(1)
    refused = None
    try:
        semaphore.release()
    except ValueError:
        refused = "ValueError"
    first = await semaphore.acquire()
    return first, refused, await state(asyncio.create_task(semaphore.acquire()))
