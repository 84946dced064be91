"""Witnesses of wrong/fifth/conditions.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, outcome, settle, shows, state
from ...wrong.fifth import conditions as wrong


async def _wait_in(condition: Any) -> Any:
    async with condition:
        return await condition.wait()


@shows((True, True, "pending"), wrong.ConditionThatNotifiesTheSameAgain)
async def _notify_twice_in_a_block(thing: Thing) -> Any:
    condition = thing()
    tasks = [asyncio.create_task(_wait_in(condition)) for _ in range(3)]
    await settle()
    async with condition:
        condition.notify()
        condition.notify()
    await settle()
    return tuple(outcome(task) for task in tasks)


@shows(True, wrong.EventThatLooksAgain)
async def _clear_after_set(thing: Thing) -> Any:
    event = thing()
    task = asyncio.create_task(event.wait())
    await settle()
    event.set()
    event.clear()
    return await state(task)


@shows(True, wrong.EventWithOneFuture)
async def _cancel_one_of_two_waiters(thing: Thing) -> Any:
    event = thing()
    first, second = asyncio.create_task(event.wait()), asyncio.create_task(event.wait())
    await settle()
    first.cancel()
    await settle()
    event.set()
    return await state(second)


@shows((0, "pending"), wrong.BarrierThatIsEnteredWhileDraining)
async def _come_back_at_once(thing: Thing) -> Any:
    barrier = thing(2)

    async def twice() -> Any:
        await barrier.wait()
        return await barrier.wait()

    once = asyncio.create_task(barrier.wait())
    await settle()
    task = asyncio.create_task(twice())
    return await state(once), await state(task)
