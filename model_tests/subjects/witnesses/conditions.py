"""Witnesses of the wrong conditions."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, outcome, settle, shows
from ..wrong import conditions as wrong

# Any: a condition, asyncio's or a wrong one.


async def waiters(condition: Any, number: int) -> list[asyncio.Task[Any]]:
    """Start tasks that wait for the condition."""

    async def wait() -> Any:
        async with condition:
            return await condition.wait()

    tasks = [asyncio.ensure_future(wait()) for _ in range(number)]
    await settle()
    return tasks


@shows([True, True, True], wrong.NotifiesAllButTheLast)
async def notify_all_wakes_all(condition_class: Thing) -> Any:
    condition = condition_class()
    tasks = await waiters(condition, 3)
    async with condition:
        condition.notify_all()
    await settle()
    return [outcome(task) for task in tasks]


@shows([True, True, "pending"], wrong.NotifiesTheWoken)
async def notify_twice(condition_class: Thing) -> Any:
    condition = condition_class()
    tasks = await waiters(condition, 3)
    async with condition:
        condition.notify()
        condition.notify()
    await settle()
    return [outcome(task) for task in tasks]


@shows("raises RuntimeError", wrong.WaitsUnlocked)
async def wait_without_the_lock(condition_class: Thing) -> Any:
    return await condition_class().wait()


@shows(("locked", "cancelled", False), wrong.CancelledWithoutTheLock)
async def a_cancelled_wait_has_the_lock(condition_class: Thing) -> Any:
    condition = condition_class()
    log: list[str] = []

    async def wait() -> None:
        await condition.acquire()
        try:
            await condition.wait()
        finally:
            log.append("locked" if condition.locked() else "unlocked")
            condition.release()

    task = asyncio.ensure_future(wait())
    await settle()
    task.cancel()
    await settle()
    return log[0], outcome(task), condition.locked()


@shows(["pending", "cancelled"], wrong.SwallowsCancels)
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
    await settle()
    return [*seen, outcome(task)]


@shows(["pending", "yes"], wrong.LooksAtThePredicateTwice)
async def wait_for_a_predicate(condition_class: Thing) -> Any:
    condition = condition_class()
    answers = ["", "", "yes"]

    async def wait() -> Any:
        async with condition:
            return await condition.wait_for(lambda: answers.pop(0))

    task = asyncio.ensure_future(wait())
    seen = []
    for _ in range(2):
        await settle()
        async with condition:
            condition.notify()
        await settle()
        seen.append(outcome(task))
    return seen
