"""Witnesses of wrong/fifth/groups.py."""

from __future__ import annotations

import asyncio
from typing import Any

from ...witness import Thing, settle, shows, state
from ...wrong.fifth import groups as wrong


async def _fail() -> None:
    raise ValueError


@shows("ExceptionGroup", wrong.TaskGroupThatLeavesTheErrorOfTheBlockBare)
async def _fail_in_the_block(thing: Thing) -> Any:
    try:
        async with thing():
            raise ValueError
    except Exception as error:
        return type(error).__name__


@shows("SystemExit", wrong.TaskGroupThatGroupsSystemExit)
async def _exit_in_the_block(thing: Thing) -> Any:
    try:
        async with thing() as group:
            group.create_task(asyncio.sleep(3600))
            raise SystemExit
    except BaseException as error:
        return type(error).__name__


@shows(("ExceptionGroup", 0), wrong.TaskGroupThatForgetsToUncancel)
async def _count_requests_after_a_group_that_failed(thing: Thing) -> Any:
    async def work() -> Any:
        try:
            async with thing() as group:
                group.create_task(_fail())
                await asyncio.sleep(3600)
        except Exception as error:
            task: Any = asyncio.current_task()
            return type(error).__name__, task.cancelling()

    return await state(asyncio.create_task(work()))


@shows(["CancelledError", "str"], wrong.gather_returns_no_cancellation)
async def _gather_a_cancelled_task(thing: Thing) -> Any:
    cancelled = asyncio.create_task(asyncio.sleep(3600))
    gathered = thing(cancelled, asyncio.sleep(0, "done"), return_exceptions=True)
    await settle()
    cancelled.cancel()
    result = await state(gathered)
    return [type(each).__name__ for each in result] if isinstance(result, list) else result


@shows("cancelled", wrong.shield_waits_for_a_cancelled_task)
async def _cancel_the_shielded_task(thing: Thing) -> Any:
    inner = asyncio.create_task(asyncio.sleep(3600))
    shielded = thing(inner)
    await settle()
    inner.cancel()
    return await state(shielded)
