"""Witnesses of the tasks that do something else with requests to cancel them."""

from __future__ import annotations

import asyncio
from typing import Any

from ..witness import Thing, settle, shows, state
from ..wrong import cancels as wrong

# Any: what a task returns.


@shows(["first", "second"], wrong.CancelsOnlyOnce)
async def cancelled_twice(task_class: Thing) -> Any:
    log: list[str] = []

    async def stubborn() -> None:
        for name in ("first", "second"):
            try:
                await asyncio.sleep(10)
            except asyncio.CancelledError:
                log.append(name)

    task = task_class(stubborn())
    for _ in range(2):
        await settle()
        task.cancel()
    await settle()
    return log


@shows([2, 1, 1, 0, 0, 0], wrong.UncancelsAll)
async def counts(task_class: Thing) -> Any:
    async def stubborn() -> None:
        for _ in range(3):
            try:
                await asyncio.sleep(10)
            except asyncio.CancelledError:
                continue

    task = task_class(stubborn())
    for _ in range(2):
        await settle()
        task.cancel()
    await settle()
    seen = [task.cancelling()]
    seen += [task.uncancel(), task.cancelling()]
    seen += [task.uncancel()]
    seen += [task.uncancel(), task.cancelling()]
    task.cancel()
    return seen


@shows("returned", wrong.CancelsForGood)
async def a_cancel_that_is_suppressed(task_class: Thing) -> Any:
    async def stubborn() -> str:
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            pass
        return "returned"

    task = task_class(stubborn())
    await settle()
    task.cancel()
    return await state(task)


@shows([False, "cleanup", True], wrong.CancelsWithoutCleanup)
async def cancelled_after_cleanup(task_class: Thing) -> Any:
    log: list[Any] = []

    async def cleans() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            await asyncio.sleep(0)
            log.append("cleanup")

    task = task_class(cleans())
    await settle()
    task.cancel()
    log.append(task.cancelled())
    await settle()
    log.append(task.cancelled())
    return log


@shows(([], "cancelled"), wrong.RunsOnceCancelled)
async def cancelled_before_its_start(task_class: Thing) -> Any:
    log: list[str] = []

    async def starts() -> None:
        log.append("started")
        await asyncio.sleep(1)

    task = task_class(starts())
    task.cancel()
    return log, await state(task)


@shows(("cancelled", "cancelled"), wrong.SparesTheInner)
async def cancel_goes_to_what_is_awaited(task_class: Thing) -> Any:
    inner = asyncio.ensure_future(asyncio.sleep(10))

    async def outer() -> None:
        await inner

    task = task_class(outer())
    await settle()
    task.cancel()
    return await state(task), await state(inner)


@shows("cancelled", wrong.FailsWhenCancelled)
async def cancelled_error_of_its_own(task_class: Thing) -> Any:
    async def ends() -> None:
        raise asyncio.CancelledError

    return await state(task_class(ends()))
