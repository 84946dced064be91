"""Witnesses of wrong/fourth/locks.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, ended, outcome, settle, shows, state
from ...wrong.fourth import locks as wrong


@shows(["first", "second", "third"], wrong.LockThatServesTheLatestFirst)
async def _release_to_three(thing: Thing) -> Any:
    lock, order = thing(), []

    async def use(name: str) -> None:
        async with lock:
            order.append(name)

    await lock.acquire()
    tasks = [asyncio.create_task(use(name)) for name in ("first", "second", "third")]
    await settle()
    lock.release()
    await asyncio.gather(*tasks)
    return order


@shows(True, wrong.EventThatReturnsItsFlag)
async def _set_and_clear_at_once(thing: Thing) -> Any:
    event = thing()
    task = asyncio.create_task(event.wait())
    await settle()
    event.set()
    event.clear()
    return await state(task)


@shows(True, wrong.EventThatForgetsWaitersAtClear)
async def _clear_and_set_while_one_waits(thing: Thing) -> Any:
    event = thing()
    task = asyncio.create_task(event.wait())
    await settle()
    event.clear()
    event.set()
    return await state(task)


@shows(("item", "pending"), wrong.ConditionThatAsksBeforeItHasTheLock)
async def _notify_two_of_one_item(thing: Thing) -> Any:
    condition, items = thing(), []  # type: ignore[var-annotated]

    async def take() -> Any:
        async with condition:
            await condition.wait_for(lambda: items)
            return items.pop()

    first, second = asyncio.create_task(take()), asyncio.create_task(take())
    await settle()
    async with condition:
        items.append("item")
        condition.notify_all()
        await settle()  # both are awake, and wait for the lock
    await settle()
    return outcome(first), outcome(second)


@shows(1, wrong.SemaphoreThatAdmitsOneTooMany)
async def _come_just_after_a_release(thing: Thing) -> Any:
    semaphore, inside, most = thing(1), 0, 0

    async def use() -> None:
        nonlocal inside, most
        async with semaphore:
            inside += 1
            most = max(most, inside)
            await settle()
            inside -= 1

    await semaphore.acquire()
    task = asyncio.create_task(use())
    await settle()
    semaphore.release()
    await use()
    await task
    return most


@shows(False, wrong.SemaphoreThatAnErrorKeeps)
async def _fail_inside(thing: Thing) -> Any:
    semaphore = thing(1)
    try:
        async with semaphore:
            raise ValueError
    except ValueError:
        return semaphore.locked()


@shows("ValueError", wrong.BoundedSemaphoreThatAllowsOneMore)
async def _release_what_was_not_acquired(thing: Thing) -> Any:
    semaphore = thing(2)
    try:
        semaphore.release()
    except ValueError:
        return "ValueError"


@shows((True, "BrokenBarrierError", "BrokenBarrierError"), wrong.BarrierThatFillsAgainAfterAnAbort)
async def _come_after_an_abort(thing: Thing) -> Any:
    barrier = thing(2)
    task = asyncio.create_task(ended(barrier.wait()))
    await settle()
    await barrier.abort()
    await settle()
    late = asyncio.create_task(ended(barrier.wait()))
    return barrier.broken, await state(task), await state(late)
